"""Answers written in Markdown, drawn while they stream. The doors are `answers` and `parser.warm_up`; most is pure."""

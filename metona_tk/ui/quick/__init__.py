"""The small window for a quick question: one line, and the answer grows below it."""

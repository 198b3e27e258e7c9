"""What the model may call: one file a tool. Names, parameters and result keys are a contract (SPEC 1.0).

A tool declares its effects, runs on open handles from its context, and gives a Result: keys for scripts and plugins,
and a text for the model, written for a weak reader (sums first). It never opens a path by its string.
"""

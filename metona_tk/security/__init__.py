"""The gate between the model and the disk: names, paths, handles, policy. Deterministic; the model is not trusted.

A path is not a check, an open handle is: `paths` decides what a typed path means, `handles` opens exactly that and
nothing that was put in its place since. Counterpart: `agent.tool_call`, the only caller.
"""

"""Every screen as a scene made of events, for people to look at: `python -m tests.gallery OUTDIR [SCENE...]`."""

"""The settings dialog, drawn from the schema in metona_tk/settings.py."""

"""Questions to the user, each in a window of its own."""

"""Stand-ins for what the program talks to: only the model's words are made up, the sockets are real."""

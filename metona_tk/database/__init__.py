"""Opens SQLite files and brings them to the schema of this program. The only place where one is opened."""

"""The chat: transcript, tool cards and composer, all of them tk.Text (see ARCHITECTURE, "The toolkit")."""

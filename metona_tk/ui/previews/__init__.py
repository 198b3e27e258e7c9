"""What a change looks like before and after it is made: words and rows of text. Used by dialogs and cards."""

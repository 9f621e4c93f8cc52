"""Lines that tell nobody anything, such as those of progress -> left out of what is shown."""

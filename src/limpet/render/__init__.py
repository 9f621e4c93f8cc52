"""Values -> text: for models, for people, for programs."""

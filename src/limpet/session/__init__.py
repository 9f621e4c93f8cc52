"""A live bash and its commands: what is said to it, what it answers, what is known of its state."""

"""Text that a shell or a model wrote -> what it means; pure and total."""

"""Ways in: each uses the front door like any user, and none knows the others."""

"""Sessions with a name: each lives in a process of its own, and whoever knows the name can go on with it."""

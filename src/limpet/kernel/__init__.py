"""What the kernel offers and Python does not: namespaces, mounts, Landlock, seccomp. Knows nothing of limpet."""

"""Plan -> a running process tree: the only package that starts processes.

Three processes share the work. The *client* is the program that uses limpet. The *server* is a small Python process
started once per client; it forks *keepers*. A keeper owns one command at a time: it is the subreaper of everything
the command starts, keeps its time limit, ends it, and tells the client when nothing of it is alive. Keeper and server
end everything when the client is gone, however it went.
"""

"""Commands in the background: each walks the road in a process of its own, its *holder*, which belongs to nobody.

`starter` clears a command and hands it over; `holder` walks; `folder` is what both write and everybody reads, one
folder for each task below the state directory; `store` knows all of them; `task` is the handle that a caller gets.
"""

"""What an agent program asks before it runs a tool -> its own words for allow, ask and deny.

`client` is the way in and imports next to nothing: it asks `helper`, a process that stays, or has `here` judge in a
child. Both end in `core`, which reads the question with the module of that agent, judges it, and words the answer.
Whatever goes wrong on the way is a block.
"""

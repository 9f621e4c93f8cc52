"""Configuration files of agent programs -> the same with limpet in them, or without it again.

`agents` says what belongs in which file, `jsonc`, `insert` and `tables` put it there without touching anything else,
`files` reads and writes, `ledger` remembers what was done, and `doing` puts it together.
"""

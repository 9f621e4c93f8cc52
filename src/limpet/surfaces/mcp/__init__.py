"""`limpet mcp`: the shell as tools of the Model Context Protocol, over stdio or HTTP on this machine."""

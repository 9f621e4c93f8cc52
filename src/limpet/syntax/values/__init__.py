"""Words of a script -> the arguments that bash will make of them, as far as that can be known beforehand."""

"""Settings -> the parts of the road: the one place that picks implementations.

A module a subject, so that who needs one of them does not load the others.
"""

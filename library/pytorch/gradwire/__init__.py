"""Gradwire's collectives for Python. gradwire.torch makes them a process group of PyTorch."""

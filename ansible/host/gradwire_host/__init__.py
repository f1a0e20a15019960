"""What Gradwire's programs on a host share. Python 3.9 or newer, standard library alone."""

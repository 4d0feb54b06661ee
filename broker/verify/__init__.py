"""The stand-alone checker: imports nothing of ours."""

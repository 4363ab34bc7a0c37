"""One module a feature: what Python callers and commands call. `inputs` reads their files."""

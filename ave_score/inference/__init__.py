"""Can the difference be believed? Resampling, tests, and measures put to the test themselves."""

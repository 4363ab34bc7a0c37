"""Where campaigns run: bundles for platforms, and programs that score a submission there."""

"""From runs and a collection to counts, a module for each kind of what is counted."""

"""Reference data of the project: collections, and the builder that reconstructs them."""

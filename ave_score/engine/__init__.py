"""Scoring on an engine of frames: DuckDB, Spark, or any library of lazy frames."""

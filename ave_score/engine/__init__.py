"""Scoring on an engine of frames: DuckDB, Spark, or any library of lazy frames."""

from ave_score.files.frames import narwhals_for

narwhals_for("engines")

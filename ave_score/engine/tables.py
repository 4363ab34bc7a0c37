"""Tables as an engine reads them: a file, a folder, a glob or a URL as one lazy frame.

Only paths and URLs that the caller names are read, by the engine. Every field is a text.
"""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import narwhals as nw

from ave_score import rules
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import IN_RUNS
from ave_score.files.frames import is_lazy
from ave_score.files.layout import Layout, Names
from ave_score.files.naming import Naming
from ave_score.files.sniff import delimiter_of
from ave_score.files.source import Source

GOLD = Layout("a collection", ("q_id", "a_id", "label"), ())
RUN = Layout("a run", ("q_id", "a_id", "verdict"), ("run", "confidence"), otherwise=IN_RUNS)

NOT_HASHED = "not-hashed"
"""In place of the hash of a collection whose bytes only the engine reads."""

_FORMATS = {".parquet": "parquet", ".csv": ",", ".tsv": "\t", ".tab": "\t"}
_PACKED = (".gz",)
_LIBRARIES = {"duckdb", "_duckdb", "pyspark", "py4j", "narwhals", "polars", "dask", "pyarrow"}


class EngineTable(NamedTuple):
    """A table that an engine reads.

    Attributes
    ----------
    path
        Its name in messages.
    frame
        Its rows.
    sha256
        The hash of its bytes, if they are in local files.
    """

    path: str
    frame: nw.LazyFrame[Any]
    sha256: str = NOT_HASHED

    def columns(self, layout: Layout, naming: Naming, findings: Findings) -> dict[str, nw.Expr]:
        """Return the columns of a layout as texts, "" for missing ones; none with a finding."""
        with engine_errors(self.path):
            own = tuple(self.frame.collect_schema().names())
        fields = Names(layout, naming, in_each_row=True).fields(own)
        if fields.missing or fields.repeated:
            missing = ", ".join(naming.names.get(name, name) for name in fields.missing)
            again = ", ".join(name for _, _, name in fields.repeated)
            problem = f"the header has no column {missing}"
            if not missing:
                problem = f"the header names the column {again} twice"
            facts = {"problem": problem, "hint": "", "least": ""}
            findings.add(rules.HEADER_UNUSABLE, **facts)
            return {}
        return {
            name: nw.col(own_name).cast(nw.String).fill_null("").alias(name)
            for name, own_name in fields.of.items()
            if name != "confidence"
        }


@contextmanager
def engine_errors(path: str) -> Iterator[None]:
    """Raise `InputError` for an error of the engine, with the first line of its message."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _LIBRARIES:
            raise
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0] if lines else type(error).__name__
        raise InputError(path, f"the engine cannot read it: {reason}") from error


class DuckDB:
    """DuckDB inside this process; extensions are installed only for URLs, which need `httpfs`."""

    def __init__(self) -> None:
        duckdb = import_module("duckdb")
        # what does not fit into memory goes here, not to the current folder
        spill = tempfile.mkdtemp(prefix="ave-score-")
        weakref.finalize(self, shutil.rmtree, spill, ignore_errors=True)
        config = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "temp_directory": spill,
            "preserve_insertion_order": "false",
        }
        self._connection = duckdb.connect(config=config)
        self._connection.execute("SET enable_progress_bar = false")  # it is on standard output

    def load_for(self, path: str) -> None:
        """Load what a URL needs."""
        name = {"az": "azure", "abfss": "azure", "azure": "azure"}.get(path.partition("://")[0])
        self._connection.install_extension(name or "httpfs")
        self._connection.load_extension(name or "httpfs")
        if name is None and not path.startswith("http"):  # keys as the AWS tools find them
            self._connection.install_extension("aws")
            self._connection.load_extension("aws")
            self._connection.execute(
                "CREATE OR REPLACE SECRET (TYPE s3, PROVIDER credential_chain)"
            )

    def parquet(self, paths: list[str]) -> Any:  # noqa: ANN401
        """Return the rows of Parquet files."""
        return self._connection.read_parquet(paths, union_by_name=True)

    def delimited(self, paths: list[str], delimiter: str) -> Any:  # noqa: ANN401
        """Return the rows of CSV or TSV files with headers, as texts."""
        # a line that is skipped to find the header would be a row that nobody misses
        options = {"header": True, "skiprows": 0, "all_varchar": True}
        quoting = {"quotechar": '"', "escapechar": '"'}
        return self._connection.read_csv(paths, sep=delimiter, **options, **quoting)

    def escaped(self, path: str) -> str:
        """Return a local path as the engine takes it, which expands patterns."""
        return glob.escape(path)


class Spark:
    """Spark, by its usual configuration: SPARK_REMOTE, spark.master, or else this machine."""

    def __init__(self) -> None:
        builder = import_module("pyspark.sql").SparkSession.builder
        self._session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()

    def parquet(self, paths: list[str]) -> Any:  # noqa: ANN401
        """Return the rows of Parquet files."""
        return self._session.read.option("mergeSchema", "true").parquet(*paths)

    def delimited(self, paths: list[str], delimiter: str) -> Any:  # noqa: ANN401
        """Return the rows of CSV or TSV files with headers, as texts."""
        # without pruning, rows of another width are found in columns that are not needed, too
        reader = self._session.read.option("columnPruning", "false").option("mode", "FAILFAST")
        quoting = {"quote": '"', "escape": '"'}
        return reader.csv(paths, sep=delimiter, header=True, enforceSchema=False, **quoting)

    def escaped(self, path: str) -> str:
        """Return a local path as the engine takes it, which expands patterns."""
        return "file://" + "".join(
            f"\\{c}" if c in "\\[]{}*?^" else c for c in os.path.abspath(path)
        )


Engine: TypeAlias = DuckDB | Spark

ENGINES: dict[str, Callable[[], Engine]] = {"duckdb": DuckDB, "spark": Spark}
"""Name of `--engine` -> the engine."""

PACKAGES = {"duckdb": "duckdb narwhals", "spark": "pyspark narwhals"}
"""Name of `--engine` -> the packages that it needs."""

NETWORK = {"duckdb": "DuckDB reads this URL; it downloads its extensions for URLs if needed"}
"""Name of `--engine` -> what to say before it reads a URL."""


def start(name: str) -> Engine:
    """Start an engine; raises `UsageError` if it is not installed or does not start."""
    try:
        return ENGINES[name]()
    except ImportError:
        needs = f"the engine {name} is not installed: pip install {PACKAGES[name]}"
        raise UsageError(needs) from None
    except Exception as error:  # no Java, an unknown master, an unreachable cluster
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise UsageError(f"the engine {name} does not start: {first}") from error


def table_of(
    source: Any,  # noqa: ANN401 - a lazy frame of any library
    name: str,
    engine: Engine | None,
    naming: Naming,
    *,
    hashed: bool = False,
) -> EngineTable:
    """Return the table in a lazy frame of this name, or of a path or URL that an engine reads.

    Raises `UsageError` for any other value; `InputError` if the engine cannot read it.
    """
    if engine is not None:
        path = source.path if isinstance(source, Source) else source
        return _opened(engine, path, naming, hashed)
    if not is_lazy(source):
        kind = type(source).__name__
        raise UsageError(f"{name}: expected a lazy frame, as the collection is one, found {kind}")
    return EngineTable(name, nw.from_native(source))


def _opened(engine: Engine, path: str, naming: Naming, hashed: bool) -> EngineTable:
    """Return the table in a file, in the files of a folder or of a pattern, or at a URL.

    `hashed` tells whether the hash of local files is computed. Raises `UsageError` if it is no
    Parquet, CSV or TSV.
    """
    local = [] if "://" in path else _local_files(path)
    if not local and isinstance(engine, DuckDB) and "://" not in path:
        raise InputError(path, "no such file or folder, or no table in it")
    names = local or [path if os.path.splitext(path)[1] else f"{path.rstrip('/')}/*.parquet"]
    formats = sorted({_format_of(name) for name in names})
    if len(formats) > 1 or "" in formats:
        raise UsageError(f"{path}: an engine reads tables of one kind, .parquet, .csv or .tsv")
    if formats == [","] and local:
        formats = [delimiter_of(Source(local[0], naming))]
    with engine_errors(path):
        if "://" in path and isinstance(engine, DuckDB):
            engine.load_for(path)
        paths = [*map(engine.escaped, local)] or names
        if formats == ["parquet"]:
            frame = engine.parquet(paths)
        else:
            frame = engine.delimited(paths, formats[0])
    return EngineTable(path, nw.from_native(frame), _sha256(local) if hashed else NOT_HASHED)


def _local_files(path: str) -> list[str]:
    """Return the files of a path, in the order of their names; none if it does not exist here."""
    if os.path.isfile(path):
        return [path]
    pattern = os.path.join(glob.escape(path), "**", "*") if os.path.isdir(path) else path
    paths = sorted(glob.glob(pattern, recursive=True))
    return [
        name
        for name in paths
        if os.path.isfile(name)
        and not os.path.basename(name).startswith(("_", "."))  # such as _SUCCESS of Spark
        and (pattern == path or _format_of(name))
    ]


def _format_of(path: str) -> str:
    stem, suffix = os.path.splitext(path)
    if suffix.lower() in _PACKED:
        suffix = os.path.splitext(stem)[1]
    return _FORMATS.get(suffix.lower(), "")


def _sha256(paths: Sequence[str]) -> str:
    """Return the hash of the bytes of files, one after the other, after decompression."""
    if not paths:
        return NOT_HASHED
    if len(paths) == 1 and _format_of(paths[0]) != "parquet":
        return Source(paths[0]).sha256()  # as without an engine
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()

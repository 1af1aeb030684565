# Runs the person's or model's code and writes its `result` as Parquet. Everything comes in through open files, because
# inside the sandbox there are no others: 3 the verdict, 4 the result, 5 the order, from 6 on the inputs.
# The code shares this process and could change any of this: it could only spoil its own answer.
import json
import os
import sys

CODE = "<analysis>"
LONGEST_MESSAGE = 4096


def read_all(fd):
    with os.fdopen(fd, "rb") as file:
        return file.read()


ORDER = json.loads(read_all(5))


class BadInput(Exception):
    def __init__(self, name, error):
        self.name, self.error = name, error


def tell(kind, **more):
    text = json.dumps({"kind": kind, **more}).encode("ascii")
    while text:
        text = text[os.write(3, text):]


def line_of(error, code):
    """The innermost line of the code that the error came through, and its text."""
    line = None
    if isinstance(error, SyntaxError) and error.filename == CODE:
        line = error.lineno
    else:
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == CODE:
                line = step.tb_lineno
            step = step.tb_next
    lines = code.splitlines()
    source = lines[line - 1].strip()[:200] if line and line <= len(lines) else None
    return line, source


def message_of(error):
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "(its message cannot be shown)"
    text = str(text)[:LONGEST_MESSAGE]
    if ORDER["packages"]:
        # Where the packages are says who the person is, and helps nobody.
        text = text.replace(ORDER["packages"] + "/", "")
    return text


def tell_error(error, code):
    line, source = line_of(error, code)
    if isinstance(error, BadInput):
        tell("input", name=error.name, message=f"{type(error.error).__name__}: {message_of(error.error)}")
    elif isinstance(error, MemoryError):
        tell("no_memory", line=line)
    else:
        tell("raised", type=type(error).__name__, message=message_of(error), line=line, source=source)


def read_input(name, fd):
    """A DataFrame. Dates become datetime64, decimals numbers, whole numbers with gaps the nullable Int64."""
    try:
        import mmap

        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(pa.BufferReader(mmap.mmap(fd, 0, prot=mmap.PROT_READ)))
        columns = []
        for field, column in zip(table.schema, table.columns):
            if pa.types.is_decimal(field.type):
                whole = field.type.scale == 0 and field.type.precision <= 18
                column = column.cast(pa.int64() if whole else pa.float64())
            elif pa.types.is_dictionary(field.type):
                column = column.cast(field.type.value_type)
            gaps = column.null_count and pa.types.is_integer(column.type)
            mapper = (lambda kind: pd.Int64Dtype()) if gaps else None
            columns.append(column.to_pandas(date_as_object=False, types_mapper=mapper))
        frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(table.num_rows))
        frame.columns = table.column_names
        return frame
    except BaseException as error:
        raise BadInput(name, error)


def text_or_none(value):
    return None if value is None or value != value else str(value)


def as_column(values):
    import pyarrow as pa

    try:
        column = pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        # Mixed kinds, numbers beyond 64 bits, kinds that Arrow lacks: their text is right, if not as handy.
        column = pa.array([text_or_none(value) for value in values], pa.string())
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    elif pa.types.is_float16(kind):
        column = column.cast(pa.float32())
    elif pa.types.is_duration(kind) or pa.types.is_interval(kind) or isinstance(kind, pa.BaseExtensionType):
        column = pa.array([text_or_none(value) for value in values], pa.string())
    return column


def as_names(names):
    """Texts, each once."""
    taken, plain = set(), []
    for position, name in enumerate(names):
        if isinstance(name, tuple):
            name = "_".join(str(part) for part in name if str(part))
        text = base = str(name) if name is not None and str(name) else f"column_{position + 1}"
        count = 1
        while text.lower() in taken:
            count += 1
            text = f"{base}_{count}"
        taken.add(text.lower())
        plain.append(text)
    return plain


def of_columns(names, columns, change=lambda column: column):
    import pyarrow as pa

    if not names:
        raise TypeError("it has no columns")
    return pa.Table.from_arrays([change(as_column(column)) for column in columns], names=as_names(names))


def as_days(column):
    """Dates again, where all times are midnight: pandas has no dates of its own, and they became times on the way in."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz is None and column.null_count < len(column):
        days = column.cast(pa.date32(), safe=False)
        if days.cast(kind).equals(column):
            return days
    return column


def of_pandas(value):
    import pandas as pd

    if isinstance(value, pd.Index):
        value = value.to_frame(index=False)
    if isinstance(value, pd.Series):
        value = value.to_frame(value.name if value.name is not None else "value")
    if not (isinstance(value.index, pd.RangeIndex) and value.index.name is None):
        # A label is part of the answer, unless it is only what a filter or a sort left of the row numbers.
        plain = value.index.nlevels == 1 and value.index.name is None and pd.api.types.is_integer_dtype(value.index)
        if not plain:
            levels = [value.index.get_level_values(level) for level in range(value.index.nlevels)]
            names = [name if name is not None else f"index_{i + 1}" for i, name in enumerate(value.index.names)]
            names = ["index" if name == "index_1" and len(names) == 1 else name for name in names]
            columns = levels + [value.iloc[:, i] for i in range(value.shape[1])]
            return of_columns(names + list(value.columns), columns, as_days)
    return of_columns(list(value.columns), [value.iloc[:, i] for i in range(value.shape[1])], as_days)


def of_rows(rows):
    first = rows[0] if rows else None
    if isinstance(first, dict) and all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return of_columns(names, [[row.get(name) for row in rows] for name in names])
    if isinstance(first, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in rows):
        width = max(len(row) for row in rows)
        names = list(getattr(first, "_fields", [f"column_{i + 1}" for i in range(width)]))
        return of_columns(names, [[row[i] if i < len(row) else None for row in rows] for i in range(len(names))])
    return of_columns(["value"], [rows])


def as_table(value):
    import datetime
    import decimal

    import pyarrow as pa

    homes = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    if "polars" in homes:
        value = value.collect() if hasattr(value, "collect") else value
        value = value.to_frame() if hasattr(value, "to_frame") else value
        if not hasattr(value, "get_columns"):
            raise TypeError(f"it is a {type(value).__name__}")
        return of_columns(value.columns, [column.to_arrow() for column in value.get_columns()])
    if isinstance(value, (pa.Table, pa.RecordBatch)):
        return of_columns(value.schema.names, value.columns)
    if isinstance(value, (pa.Array, pa.ChunkedArray)):
        return of_columns(["value"], [value])
    if "numpy" in homes and hasattr(value, "ndim") and value.ndim:
        if value.ndim > 2:
            raise TypeError(f"it is an array of {value.ndim} dimensions")
        return of_rows(value.tolist())
    if "pandas" in homes:
        import pandas as pd

        if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)):
            return of_pandas(value)
    if isinstance(value, dict):
        lists = [list(v) if isinstance(v, (list, tuple)) or hasattr(v, "tolist") and hasattr(v, "__len__") else None
                 for v in value.values()]
        if value and all(v is not None for v in lists) and len({len(v) for v in lists}) == 1:
            return of_columns(list(value), lists)
        if value and all(isinstance(v, dict) for v in value.values()):
            return of_rows([{"key": key, **row} for key, row in value.items()])
        return of_columns(list(value), [[v] for v in value.values()])
    if isinstance(value, (list, tuple, set, frozenset)):
        return of_rows([value] if hasattr(value, "_fields") else list(value))
    plain = (bool, int, float, complex, str, bytes, decimal.Decimal, datetime.date, datetime.time, datetime.timedelta)
    single = {"Timestamp", "Timedelta", "Period", "Interval", "NAType", "NaTType"}
    of_libraries = "numpy" in homes and hasattr(value, "item") or "pandas" in homes and type(value).__name__ in single
    if value is None or isinstance(value, plain) or of_libraries:
        return of_columns(["result"], [[value]])
    raise TypeError(f"it is a {type(value).__name__}")


def write_result(value):
    """Returns None, or what to tell."""
    import pyarrow.parquet as pq

    try:
        table = as_table(value)
    except MemoryError:
        raise
    except Exception as error:
        return ("not_a_table", {"message": message_of(error)})
    try:
        with os.fdopen(4, "wb", closefd=False) as sink:
            pq.write_table(table, sink)
    except OSError as error:
        if "[Errno 27]" in str(error) or error.errno == 27:
            return ("too_large", {})
        raise
    return None


def main():
    import types

    code = ORDER["code"]
    if ORDER["packages"]:
        sys.path.append(ORDER["packages"])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    space = module.__dict__
    try:
        compiled = compile(code, CODE, "exec")
        # A table that the code does not even mention is not read.
        for position, name in enumerate(ORDER["inputs"]):
            if name in code:
                space[name] = read_input(name, 6 + position)
        if ORDER["packages"]:
            for short, package in (("pd", "pandas"), ("np", "numpy"), ("pl", "polars")):
                if short in code:
                    space[short] = __import__(package)
        try:
            exec(compiled, space)
        except SystemExit as leaving:
            if leaving.code not in (None, 0):
                raise
        if "result" not in space:
            tell("no_result")
            return
        wrong = write_result(space["result"])
    except BaseException as error:
        tell_error(error, code)
        return
    if wrong:
        tell(wrong[0], **wrong[1])
    else:
        tell("done")


main()
try:
    sys.stdout.flush()
    sys.stderr.flush()
except BaseException:
    pass
# Whatever the code left for the end (threads, exit handlers) has nothing more to say.
os._exit(0)

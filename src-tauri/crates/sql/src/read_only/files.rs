//! Names in FROM that an engine may interpret as a file or an address.

/// Returns true if DuckDB may open the name as a file. It does so if no table has that name, with any quotes and also
/// if split at the dot.
pub fn may_be_a_file(parts: &[&str]) -> bool {
    const ENDINGS: &[&str] = &[
        "arrow", "arrows", "avro", "bz2", "csv", "db", "duckdb", "feather", "geojson", "gpkg", "gz", "ipc", "json",
        "jsonl", "ndjson", "orc", "parquet", "shp", "sqlite", "tsv", "txt", "vortex", "xls", "xlsx", "zst",
    ];
    let last = parts.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default();
    let ending = last.rsplit_once('.').map(|(_, e)| e).or((parts.len() > 1).then_some(last.as_str()));
    parts.iter().any(|part| part.contains(['/', '\\', '*', '?', ':'])) || ending.is_some_and(|e| ENDINGS.contains(&e))
}

/// Returns true if Spark may open the name as a file. It does so if the first of two parts is a format, or a class that
/// reads one.
pub(super) fn may_be_a_path(parts: &[&str]) -> bool {
    const FORMATS: &[&str] = &[
        "avro",
        "binaryfile",
        "cloudfiles",
        "csv",
        "delta",
        "deltasharing",
        "excel",
        "hudi",
        "iceberg",
        "image",
        "json",
        "libsvm",
        "orc",
        "parquet",
        "text",
        "xml",
    ];
    let format = |part: &str| part.contains('.') || FORMATS.contains(&part.to_ascii_lowercase().as_str());
    // `STREAM read_files(...)` looks like a table with an alias.
    let is_stream = matches!(parts, [one] if one.eq_ignore_ascii_case("stream"));
    is_stream || parts.iter().any(|part| part.contains(['/', '\\', ':', '*'])) || (parts.len() == 2 && format(parts[0]))
}

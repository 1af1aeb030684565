//! The common part of engines that are libraries of this program: their addresses are paths, and their databases are
//! opened in a separate process if the options name a program for it.

use super::info::{OpenFuture, Opened};
use crate::cage::{CagedKind, CagedWarehouse};
use crate::engine::Engine;
use crate::run::run_blocking;
use crate::{OpenOptions, WarehouseError, WarehouseKind, WarehouseUri};
use std::path::Path;
use vitrine_words::tr;

/// Parses `SCHEME:PATH`.
pub(crate) fn parse_path(kind: WarehouseKind, text: &str) -> Result<WarehouseUri, String> {
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    // `file:/a/b` and the URL form `file:///a/b` are both accepted.
    let path = if rest.starts_with("///") { &rest[2..] } else { rest };
    if path.is_empty() {
        return Err(tr!("the path is missing"));
    }
    Ok(WarehouseUri::new(kind, path))
}

/// Opens the database of a path, in a separate process if the options name a program.
pub(crate) fn open_embedded<'a, E: Engine + 'static>(
    uri: &'a WarehouseUri,
    options: &'a OpenOptions,
    caged: CagedKind,
    open: fn(&Path, &OpenOptions) -> Result<E, WarehouseError>,
) -> OpenFuture<'a> {
    Box::pin(async move {
        if let Some(program) = options.engine.clone() {
            return Ok(Opened::from_process(CagedWarehouse::open(program, uri, caged, options).await?));
        }
        let (path, options) = (uri.path().map(Path::to_path_buf).unwrap_or_default(), options.clone());
        run_blocking(move || Ok(Opened::new(open(&path, &options)?))).await
    })
}

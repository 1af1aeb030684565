//! The common part of engines that are libraries of this program: their addresses are paths, and their databases are
//! opened in a separate process if the options name a program for it.

use super::form::{AddressForm, FieldKind, FormField, FormValues, collect_values, value};
use super::info::{OpenFuture, Opened};
use crate::cage::{CagedKind, CagedWarehouse};
use crate::engine::Engine;
use crate::run::run_blocking;
use crate::{OpenOptions, WarehouseError, WarehouseKind, WarehouseUri};
use std::path::Path;
use vitrine_words::{later, tr};

/// Returns the form of addresses that are paths.
pub(crate) const fn path_form(read: fn(&str) -> Option<FormValues>, write: fn(&FormValues) -> String) -> AddressForm {
    const PATH: FormField =
        FormField::text("path", later!("Path"), "").of_kind(FieldKind::Path).required(later!("Choose a file."));
    AddressForm { fields: &[PATH], read, write, check: |_| None }
}

/// Reads the path of an address; a text without the scheme is a path.
pub(crate) fn read_path(scheme: &str, address: &str) -> Option<FormValues> {
    let path = address.strip_prefix(scheme).and_then(|rest| rest.strip_prefix(':')).unwrap_or(address);
    Some(collect_values([("path", path.to_owned())]))
}

/// Writes the address of a path.
pub(crate) fn write_path(scheme: &str, values: &FormValues) -> String {
    format!("{scheme}:{}", value(values, "path"))
}

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

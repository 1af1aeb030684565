//! The form for Databricks addresses.

use super::address::SCHEME;
use crate::engines::form::{AddressForm, FormField, FormValues, collect_values, encode_part, split_url, value};
use crate::server::options::percent_decode;
use vitrine_words::{later, tr};

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        FormField::text("host", later!("Host"), "dbc-a1b2c3d4-e5f6.cloud.databricks.com")
            .required(later!("Enter a host.")),
        FormField::text("warehouse", later!("SQL warehouse"), "/sql/1.0/warehouses/abc123def456")
            .required(later!("Enter a SQL warehouse.")),
        FormField::text("catalog", later!("Catalog"), "main").required(later!("Enter a catalog.")),
        FormField::text("schema", later!("Schema"), "sales"),
        FormField::text("client", later!("Client ID"), ""),
    ],
    read: |address| Some(read_workspace(address).unwrap_or_default()),
    write: write_workspace,
    check: |values| warehouse_id(value(values, "warehouse")).is_empty().then(|| tr!("Enter a SQL warehouse.")),
};

/// Returns the id at the end of an HTTP path such as `/sql/1.0/warehouses/abc123`.
fn warehouse_id(path: &str) -> &str {
    let path = path.trim();
    let bare = path.strip_prefix('/').unwrap_or(path);
    let id = |prefix: &str| bare.strip_prefix(prefix);
    id("sql/1.0/warehouses/").or_else(|| id("sql/1.0/endpoints/")).unwrap_or(path)
}

fn read_workspace(address: &str) -> Option<FormValues> {
    let parts = split_url(address, &[SCHEME]).filter(|parts| parts.query.is_empty())?;
    let mut path = warehouse_id(parts.path).split('/').map(percent_decode);
    let mut next = || path.next().unwrap_or_default();
    let user = percent_decode(parts.user());
    Some(collect_values([
        ("host", percent_decode(parts.place)),
        ("warehouse", next()),
        ("catalog", next()),
        ("schema", next()),
        ("client", if user == "token" { String::new() } else { user }),
    ]))
}

fn write_workspace(values: &FormValues) -> String {
    let part = |name: &str| encode_part(value(values, name), "");
    let host = value(values, "host");
    let bare = host.get(..8).filter(|start| start.eq_ignore_ascii_case("https://")).map_or(host, |_| &host[8..]);
    let bare = bare.split('/').next().unwrap_or_default();
    let user = Some(part("client")).filter(|client| !client.is_empty()).map(|client| format!("{client}@"));
    let schema = Some(part("schema")).filter(|schema| !schema.is_empty()).map(|schema| format!("/{schema}"));
    let id = encode_part(warehouse_id(value(values, "warehouse")), "");
    let (user, schema) = (user.unwrap_or_default(), schema.unwrap_or_default());
    format!("{SCHEME}://{user}{bare}/{id}/{}{schema}", part("catalog"))
}

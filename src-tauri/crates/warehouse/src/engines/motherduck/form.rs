//! The form for MotherDuck addresses.

use super::address::SCHEME;
use crate::engines::form::{AddressForm, FormField, FormValues, collect_values, encode_part, split_url, value};
use crate::engines::postgres::SCHEMES;
use crate::server::options::percent_decode;
use vitrine_words::{later, tr};

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        FormField::text("region", later!("Region"), "us-east-1").required(later!("Enter a region.")),
        FormField::text("database", later!("Database"), "sample_data").required(later!("Enter a database.")),
    ],
    read: |address| Some(read_database(address).unwrap_or_default()),
    write: |values| {
        let database = encode_part(bare_database(value(values, "database")), "");
        format!("{SCHEME}://{}/{database}", region_of(value(values, "region")))
    },
    check: |values| bare_database(value(values, "database")).is_empty().then(|| tr!("Enter a database.")),
};

/// Removes the prefix that selects the default database: a connection names its own.
fn bare_database(database: &str) -> &str {
    database.strip_prefix("md:").unwrap_or(database)
}

/// Returns the region in the host of an endpoint; any other text is unchanged.
fn region_of(host: &str) -> String {
    let bare = host.trim();
    let bare = bare.strip_suffix(":5432").unwrap_or(bare);
    let lower = bare.to_ascii_lowercase();
    let region = lower.strip_prefix("pg.").and_then(|rest| rest.strip_suffix("-aws.motherduck.com"));
    let is_region = |region: &str| !region.is_empty() && region.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    region.filter(|region| is_region(region)).map_or(bare, |region| &bare[3..3 + region.len()]).to_owned()
}

/// Reads an address, which may be that of the endpoint for PostgreSQL's programs.
fn read_database(address: &str) -> Option<FormValues> {
    let parts = split_url(address, &[SCHEME, SCHEMES[0], SCHEMES[1]])?;
    let database = percent_decode(parts.path.strip_suffix('/').unwrap_or(parts.path));
    Some(collect_values([
        ("region", region_of(&percent_decode(parts.place))),
        ("database", bare_database(&database).to_owned()),
    ]))
}

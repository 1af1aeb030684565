//! The form for addresses of databases behind a driver.

use super::address::{SCHEME, dialect_of_name, encode_component, write_dialect};
use crate::engines::form::{AddressForm, FieldKind, FormField, FormValues, collect_values, value};
use url::form_urlencoded;
use vitrine_words::{later, tr};

/// The dialect of a new form.
const USUAL: &str = "mssql";

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        FormField::text("driver", later!("Driver"), "").required(later!("Choose a driver.")),
        FormField::text("dialect", later!("SQL"), "")
            .of_kind(FieldKind::Choice(&[
                "mssql",
                "trino",
                "postgres",
                "mysql",
                "bigquery",
                "snowflake",
                "clickhouse",
                "databricks",
                "duckdb",
                "sqlite",
            ]))
            .with_default(USUAL),
        FormField::text("uri", later!("Address"), "mssql://ann@sql.example:1433?database=sales"),
        FormField::text("options", later!("More options"), "").of_kind(FieldKind::Lines),
    ],
    read: |address| Some(read_driver(address).unwrap_or_default()),
    write: write_driver,
    check: check_options,
};

fn lines(values: &FormValues) -> impl Iterator<Item = &str> {
    value(values, "options").lines().map(str::trim).filter(|line| !line.is_empty())
}

fn check_options(values: &FormValues) -> Option<String> {
    let is_option = |line: &&str| line.split_once('=').is_some_and(|(name, _)| !name.is_empty());
    if let Some(odd) = lines(values).find(|line| !is_option(line)) {
        return Some(tr!("Enter each option as name=value: {odd}", odd));
    }
    let is_empty = value(values, "uri").is_empty() && value(values, "options").is_empty();
    is_empty.then(|| tr!("Enter the driver's address."))
}

fn read_driver(address: &str) -> Option<FormValues> {
    let (scheme, rest) = address.trim().split_once(':')?;
    if !scheme.eq_ignore_ascii_case(SCHEME) || rest.contains('#') {
        return None;
    }
    let (driver, query) = rest.split_once('?').unwrap_or((rest, ""));
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let option = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let is_other = |(name, _): &&(String, String)| name != "dialect" && name != "uri";
    let others: Vec<String> = pairs.iter().filter(is_other).map(|(name, value)| format!("{name}={value}")).collect();
    let driver = driver.trim();
    let dialect = dialect_of_name(option("dialect")).or_else(|| dialect_of_name(driver)).map_or("", write_dialect);
    Some(collect_values([
        ("driver", driver.to_owned()),
        ("dialect", dialect.to_owned()),
        ("uri", option("uri").to_owned()),
        ("options", others.join("\n")),
    ]))
}

fn write_driver(values: &FormValues) -> String {
    let (driver, dialect, uri) = (value(values, "driver"), value(values, "dialect"), value(values, "uri"));
    let is_named = dialect_of_name(driver).is_some_and(|named| write_dialect(named) == dialect);
    let stated = (!is_named && !dialect.is_empty()).then_some(("dialect", dialect));
    let uri = Some(("uri", uri)).filter(|(_, uri)| !uri.is_empty());
    let others = lines(values).map(|line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        (name.trim(), value.trim())
    });
    let pairs: Vec<String> = stated
        .into_iter()
        .chain(uri)
        .chain(others)
        .map(|(name, value)| format!("{}={}", encode_component(name).replace('=', "%3D"), encode_component(value)))
        .collect();
    match pairs.is_empty() {
        true => format!("{SCHEME}:{driver}"),
        false => format!("{SCHEME}:{driver}?{}", pairs.join("&")),
    }
}

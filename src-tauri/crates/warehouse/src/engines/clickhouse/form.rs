//! The form for ClickHouse addresses.

use super::address::SCHEME;
use crate::engines::form::{AddressForm, FormField};
use crate::engines::server_form::{DATABASE, HOST, ServerForm, USER, port_field, protection_field};

/// The values of the field for encryption: HTTP has no negotiation of it.
const PROTECTIONS: &[&str] = &["require", "verify-full", "disable"];
const SERVER: ServerForm = ServerForm {
    schemes: &[SCHEME],
    option: "sslmode",
    protections: &[("require", "require"), ("verify-full", "verify-full"), ("disable", "disable")],
    usual_protection,
};

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        HOST,
        port_field("8443"),
        DATABASE,
        USER,
        protection_field(PROTECTIONS, "verify-full"),
        FormField::options(),
    ],
    read: |address| SERVER.read_address(address),
    write: |values| SERVER.write_address(values),
    check: |_| None,
};

/// Returns the protection of an address without the option.
fn usual_protection(host: &str, port: &str) -> &'static str {
    let host = host.trim().to_ascii_lowercase();
    let is_ip =
        |host: &str| host.strip_prefix("127.").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'));
    let is_here = host.is_empty() || host == "localhost" || host == "[::1]" || is_ip(&host);
    if port == "8123" || (is_here && port != "8443") { "disable" } else { "verify-full" }
}

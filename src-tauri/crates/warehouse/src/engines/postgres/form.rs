//! The form for PostgreSQL addresses.

use super::address::SCHEMES;
use crate::engines::form::{AddressForm, FormField};
use crate::engines::server_form::{
    DATABASE, HOST, PROTECTIONS, SSH, SSH_KEY, ServerForm, USER, port_field, protection_field,
};

const SERVER: ServerForm = ServerForm {
    schemes: SCHEMES,
    option: "sslmode",
    protections: &[
        ("prefer", "prefer"),
        ("require", "require"),
        ("verify-full", "verify-full"),
        ("disable", "disable"),
    ],
    usual_protection: |_, _| PROTECTIONS[0],
};

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        HOST,
        port_field("5432"),
        DATABASE,
        USER,
        protection_field(PROTECTIONS, PROTECTIONS[0]),
        SSH,
        SSH_KEY,
        FormField::options(),
    ],
    read: |address| SERVER.read_address(address),
    write: |values| SERVER.write_address(values),
    check: |_| None,
};

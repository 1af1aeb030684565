//! The form for Snowflake addresses.

use super::address::SCHEME;
use crate::engines::form::{
    AddressForm, FieldKind, FormField, FormValues, collect_values, encode_part, split_url, value, with_options,
};
use crate::engines::server_form::other_options;
use crate::server::options::percent_decode;
use vitrine_words::later;

/// The values of the field for the kind of sign-in, each with the address's value; the first is the default.
const SIGN_INS: [(&str, &str); 5] = [
    ("password", "snowflake"),
    ("token", "programmatic_access_token"),
    ("key", "snowflake_jwt"),
    ("browser", "externalbrowser"),
    ("oauth", "oauth"),
];

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        FormField::text("account", later!("Account"), "myorg-sales").required(later!("Enter an account.")),
        FormField::text("user", later!("User"), "ANN").required(later!("Enter a user.")),
        FormField::text("database", later!("Database"), "SHOP").required(later!("Enter a database.")),
        FormField::text("schema", later!("Schema"), "PUBLIC"),
        FormField::text("warehouse", later!("Warehouse"), "ANALYSIS_WH"),
        FormField::text("role", later!("Role"), "VITRINE"),
        FormField::text("signIn", later!("Sign-in"), "")
            .of_kind(FieldKind::Choice(&["password", "token", "key", "browser", "oauth"]))
            .with_default("password"),
        FormField::text("keyFile", later!("Key file"), "/home/you/rsa_key.p8")
            .of_kind(FieldKind::Path)
            .required(later!("Enter the key file."))
            .only_if("signIn", "key"),
        FormField::options(),
    ],
    read: |address| Some(read_account(address).unwrap_or_default()),
    write: write_account,
    check: |_| None,
};

fn sign_in_named(word: &str) -> Option<&'static str> {
    SIGN_INS.iter().find(|(_, known)| known.eq_ignore_ascii_case(word)).map(|(name, _)| *name)
}

fn read_account(address: &str) -> Option<FormValues> {
    let parts = split_url(address, &[SCHEME])?;
    let (database, schema) = parts.path.split_once('/').unwrap_or((parts.path, ""));
    let option = |name: &str| {
        parts.options().filter(|(known, _, _)| *known == name).last().map(|(_, value, _)| value).unwrap_or_default()
    };
    let key_file = option("private_key_file");
    let named = sign_in_named(option("authenticator"));
    let sign_in = if key_file.is_empty() { named.unwrap_or(SIGN_INS[0].0) } else { "key" };
    let is_other = |name: &str| {
        let is_field = ["user", "warehouse", "role", "private_key_file"].contains(&name);
        let is_sign_in = name == "authenticator" && named.is_some();
        !is_field && !is_sign_in
    };
    let user = Some(option("user")).filter(|user| !user.is_empty()).unwrap_or(parts.user());
    Some(collect_values([
        ("account", percent_decode(parts.place)),
        ("user", percent_decode(user)),
        ("database", percent_decode(database)),
        ("schema", percent_decode(schema)),
        ("warehouse", percent_decode(option("warehouse"))),
        ("role", percent_decode(option("role"))),
        ("signIn", sign_in.to_owned()),
        ("keyFile", percent_decode(key_file)),
        ("options", other_options(&parts, is_other)),
    ]))
}

fn write_account(values: &FormValues) -> String {
    // A path stays readable.
    let part = |name: &str| encode_part(value(values, name), "/");
    let option = |option: &str, field: &str| match part(field) {
        text if text.is_empty() => text,
        text => format!("{option}={text}"),
    };
    let sign_in = value(values, "signIn");
    let word = SIGN_INS.iter().skip(1).find(|(name, _)| *name == sign_in && *name != "key").map(|(_, word)| *word);
    let options = [
        option("warehouse", "warehouse"),
        option("role", "role"),
        word.map(|word| format!("authenticator={word}")).unwrap_or_default(),
        if sign_in == "key" { option("private_key_file", "keyFile") } else { String::new() },
        value(values, "options").to_owned(),
    ];
    let schema = Some(part("schema")).filter(|schema| !schema.is_empty()).map(|schema| format!("/{schema}"));
    let address =
        format!("{SCHEME}://{}@{}/{}{}", part("user"), part("account"), part("database"), schema.unwrap_or_default());
    with_options(address, &options)
}

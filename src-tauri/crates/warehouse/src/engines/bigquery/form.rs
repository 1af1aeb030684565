//! The form for BigQuery addresses.

use super::address::SCHEME;
use crate::engines::form::{
    AddressForm, FieldKind, FormField, FormValues, encode_part, split_url, value, with_options,
};
use crate::engines::server_form::other_options;
use crate::server::options::percent_decode;
use vitrine_words::later;

/// The fields with the options that hold them, in the order in which they are written.
const OPTIONS: [(&str, &str); 6] = [
    ("billingProject", "billing_project"),
    ("clientFile", "client_file"),
    ("clientId", "client_id"),
    ("impersonate", "impersonate"),
    ("keyFile", "key_file"),
    ("location", "location"),
];

/// Declares the fields, and how they are read from an address and written to it.
pub(super) const FORM: AddressForm = AddressForm {
    fields: &[
        FormField::text("project", later!("Project"), "my-project").required(later!("Enter a project.")),
        FormField::text("dataset", later!("Dataset"), "sales"),
        FormField::text("location", later!("Location"), "EU"),
        FormField::text("billingProject", later!("Billing project"), ""),
        FormField::text("keyFile", later!("Key file"), "/home/you/key.json").of_kind(FieldKind::Path),
        FormField::text("clientId", later!("Client ID"), "1234-abc.apps.googleusercontent.com"),
        FormField::text("clientFile", later!("Or client file"), "/home/you/client_secret.json")
            .of_kind(FieldKind::Path),
        FormField::text("impersonate", later!("Act as a service account"), "reader@my-project.iam.gserviceaccount.com"),
        FormField::options(),
    ],
    read: |address| Some(read_project(address).unwrap_or_default()),
    write: write_project,
    check: |_| None,
};

fn read_project(address: &str) -> Option<FormValues> {
    let parts = split_url(address, &[SCHEME])?;
    let place = [("project", parts.place), ("dataset", parts.path)];
    let field = |name: &str| OPTIONS.iter().find(|(_, option)| *option == name).map(|(field, _)| *field);
    let options = parts.options().filter_map(|(name, value, _)| Some((field(name)?, value)));
    let mut values: FormValues = place
        .into_iter()
        .chain(options)
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), percent_decode(value)))
        .collect();
    let others = other_options(&parts, |name| field(name).is_none());
    if !others.is_empty() {
        values.insert("options".to_owned(), others);
    }
    Some(values)
}

fn write_project(values: &FormValues) -> String {
    // A path stays readable.
    let part = |name: &str| encode_part(value(values, name), "/:@");
    let present = |(field, option): (&str, &str)| match part(field) {
        text if text.is_empty() => text,
        text => format!("{option}={text}"),
    };
    let mut options = OPTIONS.map(present).to_vec();
    options.push(value(values, "options").to_owned());
    let dataset = Some(part("dataset")).filter(|dataset| !dataset.is_empty()).map(|dataset| format!("/{dataset}"));
    with_options(format!("{SCHEME}://{}{}", part("project"), dataset.unwrap_or_default()), &options)
}

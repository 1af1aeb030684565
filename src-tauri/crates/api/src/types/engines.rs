//! Engines and the forms for their addresses, for front ends.

use crate::scans::default_limits;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_domain::ScanLimits;
use vitrine_warehouse::{
    EngineInfo, FieldKind, FormField, LocationKind, Metering, ReadingAhead, TypedAddress, WarehouseKind,
};
use vitrine_words::translate_constant;

/// An engine, as it describes itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineEntry {
    /// Id of the engine.
    pub kind: WarehouseKind,
    /// Name of the product.
    pub title: String,
    /// The server, account or file that a connection needs, in a few words.
    pub note: String,
    /// True if the engine is a preview.
    pub preview: bool,
    /// Schemes of its addresses; they are written with the first one.
    pub schemes: Vec<String>,
    /// The place that an address names.
    pub place: AddressPlace,
    /// Port for addresses without one.
    pub port: Option<u16>,
    /// True if there are rows; false for a schema without data.
    pub has_rows: bool,
    /// The way in which the bytes of queries are known.
    pub metering: Metering,
    /// The limits on bytes that apply by default.
    pub limits: ScanLimits,
    /// The amount of data that may be read before the first question.
    pub reading_ahead: ReadingAhead,
    /// Fields of the form, in the order in which they are shown.
    pub fields: Vec<EngineField>,
}

/// The place that an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AddressPlace {
    /// A file or folder of this computer.
    Path,
    /// A database on a server.
    Server,
    /// A project of a cloud.
    Project,
    /// A database behind a driver that the user added.
    Driver,
}

/// A field of the form for an engine's addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EngineField {
    /// Name of the field among the values.
    pub name: String,
    /// Label of the field.
    pub label: String,
    /// Kind of value.
    pub kind: EngineFieldKind,
    /// Values to choose from; empty for other kinds.
    pub choices: Vec<String>,
    /// True if an address needs the value.
    pub required: bool,
    /// Value in a new form.
    pub default: String,
    /// Example of a value.
    pub example: String,
    /// The field on which this field depends, and the value that it must have.
    pub only_if: Option<(String, String)>,
}

/// The kind of value that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EngineFieldKind {
    /// Any text.
    Text,
    /// The number of a port.
    Port,
    /// The path of a file or folder.
    Path,
    /// One of the choices.
    Choice,
    /// Lines of text.
    Lines,
    /// Other options, as the address writes them; not shown.
    Options,
}

/// An address that the user typed, without its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ParsedAddress {
    /// Engine that the address names; `None` for a path without a scheme.
    pub kind: Option<WarehouseKind>,
    /// The address without quotes and password.
    pub address: String,
    /// Password in the address; empty if it has none.
    pub password: String,
    /// Values of the engine's form; `None` if its fields cannot hold all parts of the address.
    pub values: Option<BTreeMap<String, String>>,
}

/// The address of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WrittenAddress {
    /// The address; empty if a value is missing or invalid.
    pub address: String,
    /// Message about the first missing or invalid value.
    pub missing: Option<String>,
}

impl From<&EngineInfo> for EngineEntry {
    fn from(engine: &EngineInfo) -> Self {
        Self {
            kind: engine.kind,
            title: translate_constant(engine.title).to_owned(),
            note: translate_constant(engine.note).to_owned(),
            preview: engine.is_preview,
            schemes: engine.schemes.iter().map(|&scheme| scheme.to_owned()).collect(),
            place: match engine.location {
                LocationKind::Path => AddressPlace::Path,
                LocationKind::Server => AddressPlace::Server,
                LocationKind::Project => AddressPlace::Project,
                LocationKind::Driver => AddressPlace::Driver,
            },
            port: engine.default_port,
            has_rows: engine.has_rows,
            metering: engine.metering,
            limits: default_limits(engine.metering),
            reading_ahead: engine.reading_ahead,
            fields: engine.form.fields.iter().map(EngineField::from).collect(),
        }
    }
}

impl From<&FormField> for EngineField {
    fn from(field: &FormField) -> Self {
        let (kind, choices): (_, &[&str]) = match field.kind {
            FieldKind::Text => (EngineFieldKind::Text, &[]),
            FieldKind::Port => (EngineFieldKind::Port, &[]),
            FieldKind::Path => (EngineFieldKind::Path, &[]),
            FieldKind::Choice(choices) => (EngineFieldKind::Choice, choices),
            FieldKind::Lines => (EngineFieldKind::Lines, &[]),
            FieldKind::Options => (EngineFieldKind::Options, &[]),
        };
        Self {
            name: field.name.to_owned(),
            label: translate_constant(field.label).to_owned(),
            kind,
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            required: field.required.is_some(),
            default: field.default.to_owned(),
            example: field.example.to_owned(),
            only_if: field.only_if.map(|(name, value)| (name.to_owned(), value.to_owned())),
        }
    }
}

impl From<TypedAddress> for ParsedAddress {
    fn from(typed: TypedAddress) -> Self {
        let TypedAddress { kind, address, password, values } = typed;
        Self { kind, address, password, values }
    }
}

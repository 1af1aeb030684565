//! Chooses the type of a column or field: one that keeps every value.

use super::digits::{NumberType, expand_exponent};
use super::moment;
use super::shape::{Fields, Shape, Texts};
use super::value::{Value, is_no_figure, write_string};
use crate::engines::duck::{quote_identifier, quote_literal};
use crate::files::{names, text_order, value_counts};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use vitrine_words::tr;

/// Maximum number of fields of a nested object; objects with more become maps.
const MOST_FIELDS: usize = 200;

/// The type of a column or field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Boolean,
    Number(NumberType),
    Text,
    Date,
    Time,
    /// A timestamp; texts with an offset are converted to UTC.
    Timestamp {
        offsets: bool,
    },
    List(Box<Kind>),
    Struct(Structure),
    Map(Box<Kind>),
    /// JSON text, for values without a common type.
    Json,
}

/// The fields of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Structure {
    pub fields: Vec<Field>,
    places: HashMap<String, usize>,
    /// Number of keys without their own field: the last field holds their values.
    rest: usize,
}

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub key: String,
    /// Differs from `key` if another key differs only in case.
    pub name: String,
    pub kind: Kind,
}

/// Remarks about the chosen types.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    pub doubts: Vec<String>,
    /// Columns whose values have an offset and are converted to UTC.
    pub in_utc: Vec<String>,
    /// Columns that became maps, with their number of keys.
    pub maps: Vec<(String, usize)>,
    /// True if the engine itself cannot read some values exactly.
    pub is_unsafe: bool,
}

impl Kind {
    /// Chooses the type for a shape. `path` is the location of the values.
    pub fn from_shape(shape: &Shape, path: &str, remarks: &mut Remarks) -> Self {
        let scalars =
            usize::from(shape.booleans) + usize::from(shape.numbers.is_some()) + usize::from(shape.texts.is_some());
        match (scalars, &shape.items, &shape.fields) {
            _ if shape.is_deep => {
                remarks
                    .doubts
                    .push(tr!("{name} contains values that are nested too deeply; it is JSON text.", name = path));
                remarks.is_unsafe = true;
                Self::Json
            }
            (0, Some(items), None) => Self::List(Box::new(Self::from_shape(items, path, remarks))),
            (0, None, Some(fields)) if fields.shapes.is_empty() => Self::Json,
            (0, None, Some(fields)) if fields.shapes.len() > MOST_FIELDS => {
                remarks.maps.push((path.to_owned(), fields.shapes.len()));
                // A map cannot be cast from JSON text.
                let kind = Self::from_shape(&fields.merged_shape(), path, remarks);
                if kind.holds_json() { Self::Json } else { Self::Map(Box::new(kind)) }
            }
            (0, None, Some(fields)) => Self::Struct(Structure::from_fields(fields, path, remarks)),
            (0, None, None) => Self::Text,
            (1, None, None) if shape.booleans => Self::Boolean,
            (1, None, None) => match (&shape.numbers, &shape.texts) {
                (Some(numbers), _) => {
                    remarks.is_unsafe |= !numbers.is_safe_in_engine();
                    let number_type = numbers.number_type();
                    let no_figures = numbers.no_figures();
                    if !no_figures.is_empty() {
                        let markers = value_counts::in_words(&no_figures);
                        remarks.doubts.push(tr!(
                            "{name} contains {markers} instead of values, read as missing; in text columns they are kept.",
                            name = path,
                            markers
                        ));
                    }
                    if number_type == NumberType::Text {
                        remarks.doubts.push(tr!(
                            "{name} contains numbers with more digits than a database number can have; it stays text.",
                            name = path
                        ));
                    }
                    Self::Number(number_type)
                }
                (None, texts) => texts.as_ref().map_or(Self::Text, |texts| Self::of_texts(texts, path, remarks)),
            },
            (_, None, None) => {
                remarks.doubts.push(describe_mixed_kinds(path));
                remarks.is_unsafe |= shape.has_fractions();
                Self::Text
            }
            _ => {
                remarks.doubts.push(describe_mixed_kinds(path));
                remarks.is_unsafe |= shape.has_fractions();
                Self::Json
            }
        }
    }

    /// Chooses the type for a column of texts.
    pub fn of_texts(texts: &Texts, path: &str, remarks: &mut Remarks) -> Self {
        let all = |count: u64| count == texts.count;
        match () {
            () if all(texts.dates) => return Self::Date,
            () if all(texts.times) => return Self::Time,
            () if all(texts.local) => return Self::Timestamp { offsets: false },
            () if all(texts.zoned) => {
                if texts.offsets {
                    remarks.in_utc.push(path.to_owned());
                }
                remarks.is_unsafe |= texts.offsets;
                return Self::Timestamp { offsets: texts.offsets };
            }
            () if texts.count_moments() * 2 > texts.count => remarks.doubts.push(match &texts.other {
                Some(other) => {
                    tr!("{name} contains dates and other texts, such as {example}; it stays text.", name = path, example = other)
                }
                None => tr!("{name} contains dates in several formats; it stays text.", name = path),
            }),
            () if all(texts.amounts) => remarks.doubts.push(tr!(
                "{name} contains numbers that the file stores as text, such as {example}; they are compared and sorted as text.",
                name = path,
                example = texts.example
            )),
            () if texts.are_numbers() && !(texts.others.is_empty() && is_code_name(path)) => {
                remarks.doubts.push(match texts.others.is_empty() {
                    true => tr!(
                        "{name} contains numbers that the file stores as text, such as {example}; they are compared and sorted as text.",
                        name = path,
                        example = quote_literal(&texts.example)
                    ),
                    false => tr!(
                        "{name} contains mostly numbers, dates or times and stays text because of {values}.",
                        name = path,
                        values = value_counts::in_words(&texts.others)
                    ),
                });
            }
            () => {
                let samples: Vec<&str> = texts.samples.iter().map(String::as_str).collect();
                remarks.doubts.extend(text_order::describe_sample(path, &samples));
            }
        }
        Self::Text
    }

    /// Returns the engine's name of the type; text instead of JSON if `as_text`.
    pub fn type_name(&self, as_text: bool) -> String {
        match self {
            Self::Boolean => "BOOLEAN".to_owned(),
            Self::Number(number) => number.type_name(),
            Self::Json if !as_text => "JSON".to_owned(),
            Self::Text | Self::Json => "VARCHAR".to_owned(),
            Self::Date => "DATE".to_owned(),
            Self::Time => "TIME".to_owned(),
            Self::Timestamp { .. } => "TIMESTAMP".to_owned(),
            Self::List(kind) => format!("{}[]", kind.type_name(as_text)),
            Self::Map(kind) => format!("MAP(VARCHAR, {})", kind.type_name(as_text)),
            Self::Struct(structure) => {
                let fields = structure.fields.iter();
                let fields: Vec<String> = fields
                    .map(|field| format!("{} {}", quote_identifier(&field.name), field.kind.type_name(as_text)))
                    .collect();
                format!("STRUCT({})", fields.join(", "))
            }
        }
    }

    /// Returns true if values have parts.
    pub fn is_nested(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_) | Self::Struct(_))
    }

    /// Returns true if the type contains JSON.
    pub fn holds_json(&self) -> bool {
        match self {
            Self::Json => true,
            Self::List(kind) | Self::Map(kind) => kind.holds_json(),
            Self::Struct(structure) => structure.fields.iter().any(|field| field.kind.holds_json()),
            _ => false,
        }
    }

    /// Returns the text of a value that the engine casts to this type; `None` for null.
    pub fn to_cast_text<'v>(&self, value: &'v Value<'_>) -> Option<Cow<'v, str>> {
        match (self, value) {
            (_, Value::Null) => None,
            (Self::Number(_), Value::Number(text)) if is_no_figure(text) => None,
            (Self::Json, value) => Some(to_json(value).into()),
            (Self::Timestamp { offsets: true }, Value::Text(text)) => {
                Some(moment::in_utc(text).map_or(Cow::Borrowed(text.as_ref()), Cow::Owned))
            }
            (Self::Number(NumberType::Decimal { .. }), Value::Number(text)) => Some(expand_exponent(text).into()),
            (_, Value::Text(text)) => Some(Cow::Borrowed(text)),
            (_, Value::Number(text)) => Some(Cow::Borrowed(text)),
            (_, Value::Bool(value)) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
            (kind, value) if kind.is_nested() => {
                let mut out = String::new();
                kind.write_json(value, &mut out);
                Some(out.into())
            }
            (_, value) => Some(to_json(value).into()),
        }
    }

    /// Writes a value as JSON for the engine's transformation: every scalar as text, every field of an object.
    fn write_json(&self, value: &Value<'_>, out: &mut String) {
        match (self, value) {
            (Self::List(kind), Value::List(items)) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    kind.write_json(item, out);
                }
                out.push(']');
            }
            (Self::Struct(structure), Value::Object(members)) => {
                let values = structure.field_values(members);
                out.push('{');
                for (at, (field, value)) in structure.fields.iter().zip(values).enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write_string(&field.name, out);
                    out.push(':');
                    field.kind.write_json(value.unwrap_or(&Value::Null), out);
                }
                out.push('}');
            }
            (Self::Map(kind), Value::Object(members)) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write_string(key, out);
                    out.push(':');
                    kind.write_json(value, out);
                }
                out.push('}');
            }
            (kind, value) => match kind.to_cast_text(value) {
                Some(text) => write_string(&text, out),
                None => out.push_str("null"),
            },
        }
    }
}

impl Structure {
    /// Chooses types and names of all fields.
    pub fn from_fields(fields: &Fields, path: &str, remarks: &mut Remarks) -> Self {
        let mut structure = Self::default();
        let mut names = HashSet::new();
        for (key, shape) in &fields.shapes {
            let name = unique_field_name(key, structure.fields.len(), &mut names);
            if name != *key {
                remarks.is_unsafe = true;
                if !key.trim().is_empty() {
                    remarks.doubts.push(tr!(
                        "The key {key} differs from another one only in case: here it is {name}.",
                        key,
                        name
                    ));
                }
            }
            let place = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let kind = Kind::from_shape(shape, &place, remarks);
            structure.push_field(Field { key: key.clone(), name, kind });
        }
        structure
    }

    fn push_field(&mut self, field: Field) {
        self.places.insert(field.key.clone(), self.fields.len());
        self.fields.push(field);
    }

    /// Adds a field for the values of all other keys.
    pub fn keep_rest(&mut self, keys: usize) {
        let mut names = self.fields.iter().map(|field| field.name.to_lowercase()).collect();
        let name = unique_field_name("other_keys", 0, &mut names);
        self.fields.push(Field { key: String::new(), name, kind: Kind::Json });
        self.rest = keys;
    }

    /// Returns the number of keys without their own field.
    pub fn count_other_keys(&self) -> usize {
        self.rest
    }

    /// Returns the text of each field; `None` for null.
    pub fn field_texts<'m, 't>(&self, members: &'m [(Cow<'t, str>, Value<'t>)]) -> Vec<Option<Cow<'m, str>>> {
        let values = self.field_values(members);
        let mut texts: Vec<_> = self
            .fields
            .iter()
            .zip(values)
            .map(|(field, value)| value.and_then(|value| field.kind.to_cast_text(value)))
            .collect();
        if self.rest > 0 {
            let others = members.iter().filter(|(key, _)| !self.places.contains_key(key.as_ref())).cloned().collect();
            let others = Value::Object(others);
            let last = texts.last_mut().filter(|_| others != Value::Object(Vec::new()));
            last.into_iter().for_each(|last| *last = Some(to_json(&others).into()));
        }
        texts
    }

    /// Returns the value of each field.
    fn field_values<'m, 't>(&self, members: &'m [(Cow<'t, str>, Value<'t>)]) -> Vec<Option<&'m Value<'t>>> {
        let mut values = vec![None; self.fields.len()];
        for (key, value) in members {
            if let Some(at) = self.places.get(key.as_ref()) {
                values[*at] = Some(value);
            }
        }
        values
    }
}

/// Returns a name that differs from all others ignoring case.
fn unique_field_name(key: &str, at: usize, names: &mut HashSet<String>) -> String {
    let base = if key.trim().is_empty() { format!("column{}", at + 1) } else { key.to_owned() };
    let mut name = base.clone();
    let mut number = 2;
    while !names.insert(name.to_lowercase()) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

/// Returns true if a name indicates a code, whose digits are not a number.
fn is_code_name(path: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "id", "ids", "code", "codes", "zip", "plz", "postcode", "postleitzahl", "phone", "tel", "telefon", "téléphone", "fax", "mobile",
        "isbn", "ean", "gtin", "sku", "iban", "nr", "no", "num", "number", "nummer", "numéro", "numero", "key", "schlüssel", "clé", "hash",
        "ref", "reference", "référence", "referenz", "year", "jahr", "année", "version", "account", "konto", "compte", "pin",
    ];
    names::split_name_words(path).split_whitespace().any(|word| WORDS.contains(&word))
}

fn describe_mixed_kinds(path: &str) -> String {
    tr!("{name} contains values of several kinds, such as texts and numbers or dates.", name = path)
}

fn to_json(value: &Value<'_>) -> String {
    let mut out = String::new();
    value.write_json(&mut out);
    out
}

//! The first pass over all records: what their values are, and what is unusual.

use super::feature;
use super::records::{Fault, Records};
use super::shape::Shape;
use super::value::{Parser, Value};
use std::borrow::Cow;
use std::io::Read;
use vitrine_words::tr;

/// The column of values that are no objects.
pub(super) const VALUE: &str = "json";

/// The members of a record; a value that is no object is one of its own.
pub(super) type Row<'t> = Vec<(Cow<'t, str>, Value<'t>)>;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub shape: Shape,
    pub records: u64,
    /// Records that are no objects.
    pub others: u64,
    /// All stand in one array.
    pub in_array: bool,
    /// Each has a line of its own.
    pub by_line: bool,
    /// A key that one record holds twice, and its line.
    pub repeated: Option<(u64, String)>,
    /// The line of a last record that is cut off.
    pub cut: Option<u64>,
    /// Some records are features of a map.
    pub features: bool,
}

impl Survey {
    /// Looks at all records.
    ///
    /// # Errors
    /// A text that is no JSON.
    pub fn from_reader(input: impl Read) -> Result<Self, Fault> {
        let mut survey = Self { by_line: true, ..Self::default() };
        let mut last_line = 0;
        let end = visit_records(input, |text, line, repeated, row, is_object| {
            survey.records += 1;
            survey.others += u64::from(!is_object);
            survey.by_line &= line > last_line && !text.contains('\n');
            last_line = line;
            if let (Some(key), None) = (repeated, &survey.repeated) {
                survey.repeated = Some((line, key));
            }
            // Other keys than the text has.
            survey.features |= is_object && text.contains("\"Feature\"");
            let fields = survey.shape.fields.get_or_insert_default();
            row.iter().for_each(|(key, value)| fields.shape_mut(key).record_value(value));
            Ok(())
        })?;
        survey.in_array = end.arrays == 1;
        survey.by_line &= end.arrays == 0;
        survey.cut = end.cut;
        Ok(survey)
    }
}

/// How a pass over the records ended.
#[derive(Debug, Default)]
pub(super) struct End {
    pub arrays: u64,
    pub cut: Option<u64>,
}

/// Visits all records: text, line, a key that occurs twice, members, whether it is an object.
///
/// # Errors
/// A text that is no JSON. A last line that is cut off is none where other records stand before it: a program may be writing it.
pub(super) fn visit_records(
    input: impl Read,
    mut visit: impl FnMut(&str, u64, Option<String>, Row<'_>, bool) -> Result<(), Fault>,
) -> Result<End, Fault> {
    let mut records = Records::new(input);
    let mut before = 0_u64;
    loop {
        let record = match records.next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(End { arrays: records.arrays, cut: None }),
            Err(fault) if fault.is_cut && before > 0 => {
                return Ok(End { arrays: 0, cut: Some(fault.line) });
            }
            Err(fault) => return Err(fault),
        };
        let mut parser = Parser::new(record.text);
        let value = parser.parse_document().map_err(|fault| {
            let lines = record.text.as_bytes()[..fault.at].iter().filter(|byte| **byte == b'\n').count() as u64;
            Fault::new(record.line + lines, fault.problem)
        })?;
        let repeated = parser.repeated.take();
        before += 1;
        match value {
            Value::Object(members) => {
                visit(record.text, record.line, repeated, feature::flatten_feature(members), true)?
            }
            other => visit(record.text, record.line, repeated, vec![(Cow::Borrowed(VALUE), other)], false)?,
        }
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        tr!("line {line}: {problem}", line = fault.line, problem = fault.problem)
    }
}

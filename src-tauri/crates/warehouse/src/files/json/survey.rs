//! The first pass over all records: the shapes of their values, and unusual properties.

use super::feature;
use super::records::{Fault, Records};
use super::shape::Shape;
use super::value::{Parser, Value};
use std::borrow::Cow;
use std::io::Read;
use vitrine_words::tr;

/// The column for records that are not objects.
pub(super) const VALUE: &str = "json";

/// The members of a record; a value that is not an object becomes a single member.
pub(super) type Row<'t> = Vec<(Cow<'t, str>, Value<'t>)>;

/// The results of the first pass.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub shape: Shape,
    pub records: u64,
    /// Number of records that are not objects.
    pub others: u64,
    /// True if all records are in one array.
    pub in_array: bool,
    /// True if each record has its own line.
    pub by_line: bool,
    /// A key that occurs twice in one record, with its line.
    pub repeated: Option<(u64, String)>,
    /// The line of an incomplete last record.
    pub cut: Option<u64>,
    /// True if some records are GeoJSON features.
    pub features: bool,
}

impl Survey {
    /// Examines all records.
    ///
    /// # Errors
    /// If the text is not JSON.
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
            // The properties of a feature become columns, so the columns differ from the keys of the text.
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

/// The end of a pass over the records.
#[derive(Debug, Default)]
pub(super) struct End {
    pub arrays: u64,
    pub cut: Option<u64>,
}

/// Calls `visit` for all records: text, line, a key that occurs twice, members, true if it is an object.
///
/// # Errors
/// If the text is not JSON. An incomplete last record after others is accepted, because a program may still be writing
/// it.
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

//! JSON files: every value keeps its digits and letters. Types are chosen here from all records instead of by the
//! engine, which parses fractions, and integers in the same column, as binary floats.

mod digits;
mod envelope;
mod feature;
mod keyed;
mod kind;
mod moment;
mod records;
mod shape;
mod source;
mod survey;
mod value;

use super::column::{Column, How};
use super::file::{path_literal, start_reading, unreadable_error, wrong_file};
use super::staged::{self, STAGED};
use crate::engines::duck::{quote_identifier, quote_literal};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::{Connection, appender_params_from_iter};
use kind::{Field, Kind, Remarks, Structure};
use records::Fault;
use shape::{Fields, Texts};
use source::Source;
use std::collections::HashMap;
use std::path::Path;
use survey::Survey;
use vitrine_domain::{ConvertedColumn, FileReading};
use vitrine_words::{plural, tr};

/// Maximum number of columns; values of further keys are stored in one JSON column.
const MOST_COLUMNS: usize = 10_000;
/// Number of columns above which the reading reports their number.
const MANY_COLUMNS: usize = 1_000;
/// Maximum number of cells of a table in memory.
const MOST_CELLS: u64 = 30_000_000;
/// Maximum number of doubts that are listed.
const MOST_DOUBTS: usize = 20;

/// Creates a table, or a view for a large file, with this name. `size` is the unpacked size in bytes.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    size: u64,
    name: &str,
    options: &OpenOptions,
) -> Result<FileReading, WarehouseError> {
    let mut reading = start_reading(file, name, options);
    let wrong = |fault: Fault| unreadable_error(file, &tr!("a JSON file"), &String::from(fault));
    let source = Source::open(connection, file, size)?;
    reading.encoding = source.encoding.map(str::to_owned);
    if source.is_packed_tight {
        return by_engine(connection, file, name, reading);
    }
    let mut survey = Survey::from_reader(source.open_reader(file)?).map_err(wrong)?;
    let whole = source.text().unwrap_or_default();
    let envelope = (survey.records == 1 && !survey.in_array).then(|| envelope::find_envelope(whole)).flatten();
    if let Some(envelope) = &envelope {
        let outer = survey.repeated.take();
        survey = Survey::from_reader(envelope.records.as_bytes()).map_err(wrong)?;
        survey.repeated = survey.repeated.or(outer);
        if let Some(column) = &envelope.key_column {
            reading.doubts.push(match envelope.path.as_str() {
                "" => tr!(
                    "The rows are the members of the outermost object; their keys are in the column {column}.",
                    column
                ),
                path => tr!("The rows are the members of {path}; their keys are in the column {column}.", path, column),
            });
        }
        if let Some(others) = envelope.display_other_members() {
            let path = &envelope.path;
            reading.doubts.push(match envelope.key_column {
                Some(_) => tr!("Beside the rows, and not in the table: {others}", others),
                None => tr!(
                    "The rows are the elements of {path}. Beside them, and not in the table: {others}",
                    path,
                    others
                ),
            });
        }
    }
    let lists = single_record_lists(&survey, envelope.is_some());
    if !lists.is_empty() {
        reading.doubts.push(tr!(
            "The file is one record, so that the table has one row; lists are in {columns}.",
            columns = lists.join(", ")
        ));
    } else if survey.others == survey.records
        && survey.shape.fields.as_ref().is_some_and(|fields| !fields.list_keys().is_empty())
    {
        reading.doubts.push(tr!(
            "The records are lists without names for their values; they are in the column {column}.",
            column = survey::VALUE
        ));
    }
    let mut remarks = Remarks::default();
    let structure = build_structure(&survey, &reading, &mut remarks);
    report_doubts(&survey, &structure, std::mem::take(&mut remarks.doubts), &mut reading);
    let cells = survey.records.saturating_mul(structure.fields.len() as u64);
    let is_large = size > options.load_bytes || cells > MOST_CELLS;
    let made = if is_large && envelope.is_none() && source.is_plain && is_exact_in_engine(&survey, &remarks, &structure)
    {
        let format = match (survey.in_array, survey.by_line) {
            (true, _) => "array",
            (false, true) => "newline_delimited",
            (false, false) => "unstructured",
        };
        create_view(connection, file, name, &structure, format)
    } else {
        let input: Box<dyn std::io::Read + '_> = match &envelope {
            Some(envelope) => Box::new(envelope.records.as_bytes()),
            None => source.open_reader(file)?,
        };
        let columns = describe_columns(&structure, &remarks, &mut reading);
        fill_table(connection, &structure, input)
            .map_err(|fault| fault.map_or_else(|error| wrong_file(file, &error), wrong))?;
        staged::create_from_staged(connection, name, &columns)
    };
    made.map(|()| reading).map_err(|error| wrong_file(file, &error))
}

/// Describes the texts of a column that mean numbers or dates.
pub(super) fn describe_texts(name: &str, texts: &[String]) -> Vec<String> {
    let (mut seen, mut remarks) = (Texts::default(), Remarks::default());
    texts.iter().for_each(|text| seen.record_text(text));
    if seen.count > 0 {
        Kind::of_texts(&seen, name, &mut remarks);
    }
    remarks.doubts
}

/// Returns the columns with lists if the file is a single record: its rows may be the elements of a list.
fn single_record_lists(survey: &Survey, has_envelope: bool) -> Vec<&str> {
    if survey.records != 1 || survey.in_array || survey.others > 0 || has_envelope {
        return Vec::new();
    }
    survey.shape.fields.as_ref().map(Fields::list_keys).unwrap_or_default()
}

/// Builds the columns of the table.
fn build_structure(survey: &Survey, reading: &FileReading, remarks: &mut Remarks) -> Structure {
    let mut fields = survey.shape.fields.clone().unwrap_or_default();
    if fields.shapes.is_empty() {
        fields.shape_mut(survey::VALUE);
    }
    let more = fields.split_off(MOST_COLUMNS);
    let mut structure = Structure::from_fields(&fields, "", remarks);
    if more > 0 {
        structure.keep_rest(more);
    }
    let told = &reading.options.as_text;
    for field in
        structure.fields.iter_mut().filter(|field| told.iter().any(|name| name.eq_ignore_ascii_case(&field.name)))
    {
        remarks.is_unsafe |= field.kind != Kind::Text;
        field.kind = Kind::Text;
    }
    structure
}

/// Reports unusual properties of the file.
fn report_doubts(survey: &Survey, structure: &Structure, mut doubts: Vec<String>, reading: &mut FileReading) {
    if let Some((line, key)) = &survey.repeated {
        reading.doubts.push(tr!(
            "A record contains the key {key} twice, first in line {line}; its last value is used.",
            key,
            line
        ));
    }
    if let Some(line) = survey.cut {
        reading.doubts.push(tr!("The last record, in line {line}, is cut off; it is left out.", line));
    }
    if survey.others > 0 && survey.others < survey.records {
        reading.doubts.push(plural!(
            survey.others,
            "{n} record is no object; its value is in the column {column}.",
            "{n} records are no objects; their values are in the column {column}.",
            column = survey::VALUE
        ));
    }
    let keys = structure.fields.len() + structure.count_other_keys() - usize::from(structure.count_other_keys() > 0);
    if structure.count_other_keys() > 0 {
        reading.doubts.push(tr!(
            "The records have {keys} different keys. The first {most} are columns; the others are in the column {column}, as JSON.",
            keys,
            most = structure.fields.len() - 1,
            column = structure.fields.last().map(|field| field.name.clone()).unwrap_or_default()
        ));
    } else if keys > MANY_COLUMNS {
        reading.doubts.push(tr!("The records have {keys} different keys; each is a column.", keys));
    }
    let more = doubts.len().saturating_sub(MOST_DOUBTS);
    doubts.truncate(MOST_DOUBTS);
    reading.doubts.append(&mut doubts);
    if more > 0 {
        reading.doubts.push(plural!(more, "{n} more column is in doubt.", "{n} more columns are in doubt."));
    }
}

/// Returns true if the engine would read the file with the same values.
fn is_exact_in_engine(survey: &Survey, remarks: &Remarks, structure: &Structure) -> bool {
    !remarks.is_unsafe
        && !survey.features
        && survey.others == 0
        && survey.repeated.is_none()
        && survey.cut.is_none()
        && structure.count_other_keys() == 0
}

/// Creates a view, for which the engine reads the file in each query.
fn create_view(
    connection: &Connection,
    file: &Path,
    name: &str,
    structure: &Structure,
    format: &str,
) -> ::duckdb::Result<()> {
    let types = structure
        .fields
        .iter()
        .map(|Field { name, kind, .. }| format!("{}: {}", quote_literal(name), quote_literal(&kind.type_name(false))));
    let types: Vec<String> = types.collect();
    let sql = format!(
        "CREATE VIEW {} AS SELECT * FROM read_json({}, auto_detect = false, format = '{format}', records = true, hive_partitioning = false,
         maximum_object_size = {}, columns = {{{}}})",
        quote_identifier(name),
        path_literal(file),
        records::LARGEST,
        types.join(", ")
    );
    connection.execute_batch(&sql)
}

/// Lets the engine read a file that cannot be unpacked here.
fn by_engine(
    connection: &Connection,
    file: &Path,
    name: &str,
    mut reading: FileReading,
) -> Result<FileReading, WarehouseError> {
    let sql = format!(
        "CREATE VIEW {} AS SELECT * FROM read_json({}, sample_size = -1, field_appearance_threshold = 0,
         map_inference_threshold = -1, maximum_object_size = {}, hive_partitioning = false)",
        quote_identifier(name),
        path_literal(file),
        records::LARGEST
    );
    connection.execute_batch(&sql).map_err(|error| wrong_file(file, &error))?;
    reading.doubts.push(tr!(
        "The file is large and packed with zstd: numbers of more than 15 digits in it may be rounded. Unpacked it is read exactly."
    ));
    Ok(reading)
}

/// Describes how each column is converted from its text.
fn describe_columns(structure: &Structure, remarks: &Remarks, reading: &mut FileReading) -> Vec<Column> {
    let maps: HashMap<&str, usize> = remarks.maps.iter().map(|(column, keys)| (column.as_str(), *keys)).collect();
    let mut columns = Vec::new();
    for Field { name, kind, .. } in &structure.fields {
        let mut column = Column::new(name.clone(), "VARCHAR");
        column.value = conversion_expression(&quote_identifier(name), kind);
        column.how = match kind {
            Kind::Timestamp { offsets: true } => Some(How::new(|| tr!("times with an offset, turned into UTC"))),
            Kind::Map(_) => {
                let keys = maps.get(name.as_str()).copied().unwrap_or_default();
                Some(How::new(|| tr!("a map from {keys} keys to their values", keys)))
            }
            _ => None,
        };
        let said = column.how.as_ref().map(|how| how.said.clone());
        reading.converted.extend(said.map(|how| ConvertedColumn { column: name.clone(), how }));
        columns.push(column);
    }
    for path in remarks.in_utc.iter().filter(|path| columns.iter().all(|column| column.name != **path)) {
        let how = tr!("times with an offset, turned into UTC");
        reading.converted.push(ConvertedColumn { column: path.clone(), how });
    }
    columns
}

/// Returns the expression that converts a text to its type; `None` for text.
fn conversion_expression(text: &str, kind: &Kind) -> Option<String> {
    if *kind == Kind::Text {
        return None;
    }
    let name = kind.type_name(false);
    if !kind.is_nested() {
        return Some(format!("CAST({text} AS {name})"));
    }
    let structure = serde_json::to_string(&kind.type_name(true)).unwrap_or_default();
    let value = format!("json_transform_strict({text}, {})", quote_literal(&structure));
    Some(if kind.holds_json() { format!("CAST({value} AS {name})") } else { value })
}

/// Loads the texts of the records into a table column by column.
fn fill_table(
    connection: &Connection,
    structure: &Structure,
    input: impl std::io::Read,
) -> Result<(), Result<Fault, ::duckdb::Error>> {
    let columns: Vec<String> =
        structure.fields.iter().map(|field| format!("{} VARCHAR", quote_identifier(&field.name))).collect();
    let sql = format!("CREATE TABLE {} ({})", quote_identifier(STAGED), columns.join(", "));
    connection.execute_batch(&sql).map_err(Err)?;
    let mut appender = connection.appender(STAGED).map_err(Err)?;
    let mut failed = None;
    let end = survey::visit_records(input, |_, line, _, row, _| {
        let cells = structure.field_texts(&row);
        appender.append_row(appender_params_from_iter(cells.iter().map(Option::as_deref))).map_err(|error| {
            failed = Some(error);
            Fault::new(line, String::new())
        })
    });
    match (failed, end) {
        (Some(error), _) => Err(Err(error)),
        (None, Err(fault)) => Err(Ok(fault)),
        (None, Ok(_)) => appender.flush().map_err(Err),
    }
}

#[cfg(test)]
mod tests;

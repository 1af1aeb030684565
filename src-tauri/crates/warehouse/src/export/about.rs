//! Facts about exported rows: a second sheet of a workbook, or a text file beside a file that holds rows alone.

use super::csv::guard_formula;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, XlsxError};
use std::path::{Path, PathBuf};
use vitrine_domain::ExportAbout;

/// Maximum length of a sheet's name in characters.
const NAME: usize = 31;
/// Maximum length of a cell in characters; each is at most two of Excel's.
const CELL: usize = 16_000;

/// Returns the path of the text file beside a file of rows.
pub(super) fn about_path(dest: &Path) -> PathBuf {
    let mut name = dest.as_os_str().to_owned();
    name.push(".about.txt");
    name.into()
}

/// Formats the facts as text. Each line begins with a label or a bar, so that a spreadsheet never evaluates a value as
/// a formula.
pub(super) fn about_text(about: &ExportAbout) -> String {
    let mut out = format!("{}\n\n", guard_formula(&replace_control_chars(&about.title)));
    for fact in &about.facts {
        let (label, text) = (replace_control_chars(&fact.label), line_ends(&fact.text));
        let lines: Vec<String> = text.trim_end().split('\n').map(replace_control_chars).collect();
        out.push_str(&guard_formula(&label));
        out.push(':');
        match lines.as_slice() {
            [line] => out.push_str(&format!(" {line}\n")),
            lines => {
                out.push('\n');
                for line in lines {
                    out.push_str(format!("| {line}").trim_end());
                    out.push('\n');
                }
            }
        }
    }
    out
}

/// Normalizes line ends to one kind.
fn line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Converts the text to one line without characters that move the cursor or start another cell.
fn replace_control_chars(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Adds the facts as a sheet. Each cell is formatted as text, so that it stays text after editing.
pub(super) fn write_about(book: &mut Workbook, about: &ExportAbout) -> Result<(), XlsxError> {
    let text = Format::new().set_quote_prefix().set_text_wrap().set_align(FormatAlign::Top);
    let label = text.clone().set_bold();
    let sheet = book.add_worksheet();
    sheet.set_name(sheet_name(&about.title))?;
    sheet.set_column_width(0, 24.0)?;
    sheet.set_column_width(1, 100.0)?;
    let mut row = 0;
    for fact in &about.facts {
        for (at, part) in split_into_cells(&line_ends(&fact.text)).into_iter().enumerate() {
            if at == 0 {
                sheet.write_string_with_format(row, 0, split_into_cells(&fact.label).swap_remove(0), &label)?;
            }
            sheet.write_string_with_format(row, 1, part, &text)?;
            row += 1;
        }
    }
    Ok(())
}

/// Splits the text into parts that fit into a cell; nothing is cut.
fn split_into_cells(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    match letters.is_empty() {
        true => vec![String::new()],
        false => letters.chunks(CELL).map(|part| part.iter().collect()).collect(),
    }
}

/// Returns a valid Excel sheet name for a title.
fn sheet_name(title: &str) -> String {
    let allowed = |letter: &char| !letter.is_control() && !"[]:*?/\\".contains(*letter);
    let name: String = title.chars().filter(allowed).take(NAME).collect();
    let name = name.trim().trim_matches('\'').to_owned();
    // Excel counts characters beyond the basic plane twice.
    let fits = !name.is_empty() && name.encode_utf16().count() <= NAME && !name.eq_ignore_ascii_case("Sheet1");
    if fits { name } else { "About".to_owned() }
}

//! Parses the lines of a delimited text into cells, and detects the delimiter.

use super::grid::Grid;
use csv::{ReaderBuilder, StringRecord, Terminator};
use std::borrow::Cow;
use vitrine_domain::FileOptions;

const DELIMITERS: [u8; 5] = [b'\t', b';', b'|', b',', b'^'];
const QUOTES: [u8; 2] = [b'"', b'\''];
/// Number of records that are used to detect the delimiter.
const LOOKED_AT: usize = 500;

/// The syntax of a delimited file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub delimiter: u8,
    pub quote: Option<u8>,
    /// The character that escapes a quote inside quotes; `None` if quotes are doubled.
    pub escape: Option<u8>,
}

/// Parses the user's delimiter, which may be written as `\t`.
pub(super) fn parse_delimiter(told: &FileOptions) -> Option<u8> {
    match told.delimiter.as_deref() {
        Some("\\t" | "tab") => Some(b'\t'),
        Some(text) => text.bytes().next().filter(|_| text.len() == 1),
        None => None,
    }
}

/// Detects the dialect in which most lines have the same number of cells; `delimiter` is the user's choice.
///
/// # Errors
/// The line of a quote that is never closed, or closed in the middle of a cell, because it would swallow lines.
pub(super) fn detect_dialect(text: &str, delimiter: Option<u8>) -> Result<Dialect, u64> {
    let delimiters = delimiter.map_or(DELIMITERS.to_vec(), |delimiter| vec![delimiter]);
    let doubled = even_dialect(text, &delimiters, None);
    let best = match text.contains("\\\"") {
        true => choose_dialect(text, doubled, even_dialect(text, &delimiters, Some(b'\\'))),
        false => doubled,
    };
    let Some(line) = broken_quote(text, best) else { return Ok(best) };
    // Quotes may also be ordinary characters.
    let plain = Dialect { quote: None, ..best };
    let grid = parse_grid(text, plain);
    let even = (1..grid.height()).all(|row| grid.cells_of(row) == grid.cells_of(0));
    if even && grid.height() > 0 { Ok(plain) } else { Err(line) }
}

/// Returns the dialect that explains the file better: it leaves no unpaired quote, and more lines have the same number
/// of cells. The second dialect needs such evidence, because a backslash before a quote may also be the end of a path.
fn choose_dialect(text: &str, first: Dialect, second: Dialect) -> Dialect {
    let proof = |dialect: Dialect| (broken_quote(text, dialect).is_none(), even_share(text, dialect));
    if proof(second) > proof(first) { second } else { first }
}

/// Returns the share of lines with the most common number of cells.
fn even_share(text: &str, dialect: Dialect) -> f64 {
    let grid = parse_grid(text, dialect);
    let mut widths = std::collections::HashMap::new();
    (0..grid.height()).for_each(|row| *widths.entry(grid.cells_of(row)).or_insert(0_usize) += 1);
    widths.into_values().max().unwrap_or(0) as f64 / grid.height().max(1) as f64
}

/// Returns the dialect in which most lines have the same number of cells.
fn even_dialect(text: &str, delimiters: &[u8], escape: Option<u8>) -> Dialect {
    // A single column needs no delimiter.
    let delimiter = if let [delimiter] = delimiters { *delimiter } else { b',' };
    let alone = Dialect { delimiter, quote: Some(b'"'), escape };
    let mut best = (alone, 0.0);
    for quote in QUOTES.into_iter().filter(|quote| *quote == QUOTES[0] || text.contains(char::from(*quote))) {
        for delimiter in delimiters {
            let dialect = Dialect { delimiter: *delimiter, quote: Some(quote), escape };
            let score = score_dialect(text, dialect);
            if score > best.1 && (quote == QUOTES[0] || broken_quote(text, dialect).is_none()) {
                best = (dialect, score);
            }
        }
    }
    best.0
}

/// Returns the line of the first quote that does not enclose a whole cell.
fn broken_quote(text: &str, dialect: Dialect) -> Option<u64> {
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Start,
        Plain,
        Quoted,
        Closed,
    }
    let quote = dialect.quote?;
    let (mut at, mut line, mut opened) = (At::Start, 1, 1);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        at = match at {
            At::Quoted if Some(byte) == dialect.escape => {
                bytes.next();
                At::Quoted
            }
            At::Quoted if byte == quote && dialect.escape.is_none() && bytes.peek() == Some(&quote) => {
                bytes.next();
                At::Quoted
            }
            At::Quoted if byte == quote => At::Closed,
            At::Quoted => At::Quoted,
            _ if byte == dialect.delimiter || byte == b'\n' || byte == b'\r' => At::Start,
            At::Start if byte == quote => {
                opened = line;
                At::Quoted
            }
            At::Closed if byte != b' ' => return Some(opened),
            At::Closed => At::Closed,
            At::Start | At::Plain => At::Plain,
        };
        line += u64::from(byte == b'\n');
    }
    (at == At::Quoted).then_some(opened)
}

/// Returns the share of lines with the most common number of cells above one, plus a small bonus for more cells.
fn score_dialect(text: &str, dialect: Dialect) -> f64 {
    let mut widths: Vec<usize> = Vec::new();
    let mut reader = csv_reader(text, dialect);
    let mut record = StringRecord::new();
    while widths.len() < LOOKED_AT && matches!(reader.read_record(&mut record), Ok(true)) {
        // A cell with very many lines starts with a quote that is an ordinary character.
        if record.iter().any(|cell| cell.matches('\n').count() > 50) {
            return 0.0;
        }
        widths.push(record.len());
    }
    let count = |width: usize| widths.iter().filter(|other| **other == width).count();
    let common = widths.iter().copied().filter(|width| *width > 1).max_by_key(|width| (count(*width), *width));
    common.map_or(0.0, |width| count(width) as f64 / widths.len() as f64 + (width.min(99) as f64) * 1e-4)
}

fn csv_reader(text: &str, dialect: Dialect) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(dialect.delimiter)
        .quote(dialect.quote.unwrap_or(b'"'))
        .quoting(dialect.quote.is_some())
        .double_quote(dialect.escape.is_none())
        .escape(dialect.escape)
        .terminator(Terminator::CRLF)
        .from_reader(text.as_bytes())
}

/// Doubles each backslash before a character other than a quote or a backslash, because the reader would drop it:
/// `C:\new`.
fn keep_backslashes(text: &str, dialect: Dialect) -> Cow<'_, str> {
    let (Some(quote), Some(escape)) = (dialect.quote.map(char::from), dialect.escape.map(char::from)) else {
        return Cow::Borrowed(text);
    };
    let (mut kept, mut quoted, mut at_start) = (String::with_capacity(text.len()), false, true);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        kept.push(c);
        if quoted && c == escape {
            match chars.next_if(|next| *next == quote || *next == escape) {
                Some(next) => kept.push(next),
                None => kept.push(escape),
            }
        } else if c == quote {
            quoted = !quoted && at_start;
        }
        at_start = !quoted && (c == char::from(dialect.delimiter) || c == '\n');
    }
    Cow::Owned(kept)
}

/// Parses all lines of a text that ends with a line end.
pub(super) fn parse_grid(text: &str, dialect: Dialect) -> Grid {
    let mut grid = Grid::default();
    let text = keep_backslashes(text, dialect);
    let mut reader = csv_reader(&text, dialect);
    let mut record = StringRecord::new();
    let mut before = 1;
    while matches!(reader.read_record(&mut record), Ok(true)) {
        let after = reader.position().line();
        let inside = record.iter().map(|cell| cell.matches('\n').count() as u64).sum::<u64>();
        let number = after.saturating_sub(inside + 1).max(before);
        grid.push_row(number as u32, number > before, record.iter());
        before = after.max(number + inside + 1);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_what_parts_lines_evenly() {
        for (text, delimiter) in [
            ("a,b\n1,2\n", b','),
            ("x;y\n1,5;2\n3,0;4\n", b';'),
            ("Konto:;DE12\n\nDatum;Text;Betrag\n1.1.2024;a,b;1,00\n2.1.2024;c;2,00\n3.1.2024;d, e;2,00\n", b';'),
            ("a\tb\n1,0\t2\n", b'\t'),
            ("name,note\n\"a;b\",\"c;d\"\n\"e;f\",x\n", b','),
        ] {
            assert_eq!(detect_dialect(text, None).unwrap().delimiter as char, delimiter as char, "{text}");
        }
        assert_eq!(detect_dialect("a|b;c\n", Some(b'|')).unwrap().delimiter, b'|');
    }

    #[test]
    fn a_quote_that_would_swallow_lines_is_an_error() {
        assert_eq!(detect_dialect("a,b\n1,x\n2,\"open\n3,y,z\n", None), Err(3));
        assert_eq!(detect_dialect("a,b\n1,\"x\n2,\"y\n3,z,z\n", None), Err(2));
        // If all lines have equal lengths without quoting, quotes are ordinary characters.
        assert_eq!(detect_dialect("a,b\n1,\"x\" y\n2,\"z\n", None).unwrap().quote, None);
        assert_eq!(detect_dialect("a,b\n1,\"x, \"\"y\"\"\"\n", None).unwrap().quote, Some(b'"'));
    }

    /// Parses a text with its detected dialect.
    fn parse_cells(text: &str) -> Vec<Vec<String>> {
        let grid = parse_grid(text, detect_dialect(text, None).unwrap());
        (0..grid.height())
            .map(|row| (0..grid.cells_of(row)).map(|at| grid.raw_cell(row, at).to_owned()).collect())
            .collect()
    }

    #[test]
    fn a_backslash_is_an_escape_only_where_the_file_proves_it() {
        for (text, values) in [
            ("id,path\n3,\"D:\\data\\\"\n", ["3", "D:\\data\\"]),
            ("id,path\n1,x\n3,\"D:\\data\\\"\n4,\"E:\\\"\n", ["1", "x"]),
            ("id,path\n3,\"\\\\server\\share\\\"\n4,\"a \"\"b\"\"\"\n", ["3", "\\\\server\\share\\"]),
            ("id,note\n3,\"say \\\"hi\\\"\"\n4,\"\"\n", ["3", "say \"hi\""]),
            ("id,note\n3,\"a \\\", b\"\n4,\"c\"\n", ["3", "a \", b"]),
            ("id,note\n3,\"C:\\new \\\"x\\\"\"\n", ["3", "C:\\new \"x\""]),
        ] {
            assert_eq!(parse_cells(text)[1], values, "{text}");
            assert!(parse_cells(text).iter().all(|row| row.len() == 2), "{text}");
        }
    }

    #[test]
    fn lines_are_numbered_as_in_the_file() {
        let grid = parse_grid(
            "Title\n\na;b\n\"x\ny\";1\n\n\nz;2\n",
            Dialect { delimiter: b';', quote: Some(b'"'), escape: None },
        );
        let rows: Vec<(u32, bool, String)> =
            (0..grid.height()).map(|row| (grid.line_number(row), grid.is_apart(row), grid.display_row(row))).collect();
        let row = |number, apart, text: &str| (number, apart, text.to_owned());
        assert_eq!(
            rows,
            [row(1, false, "Title"), row(3, true, "a | b"), row(4, false, "x\ny | 1"), row(8, true, "z | 2")]
        );
    }
}

//! Cells below merged cells: a workbook shows only the first cell of a merged range, but may store others.

use super::cell_types::cell_text;
use calamine::{Data, Range};
use vitrine_words::plural;

/// A text that the workbook stores but does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Covered {
    /// Row and column, from 0.
    pub place: (u32, u32),
    pub text: String,
}

/// Clears the cells that are not shown; returns those whose texts differ from the shown one.
pub(super) fn take_out(cells: &mut Range<Data>, merged: &[[(u32, u32); 2]]) -> Vec<Covered> {
    let mut covered = Vec::new();
    let (Some(first), Some(last)) = (cells.start(), cells.end()) else { return covered };
    for [from, to] in merged {
        let shown = cells.get_value(*from).and_then(cell_text);
        for row in from.0.max(first.0)..=to.0.min(last.0) {
            for column in from.1.max(first.1)..=to.1.min(last.1) {
                let place = (row, column);
                let held = cells.get_value(place).filter(|cell| place != *from && **cell != Data::Empty).map(cell_text);
                let Some(held) = held else { continue };
                covered.extend(held.filter(|held| Some(held) != shown.as_ref()).map(|text| Covered { place, text }));
                cells.set_value(place, Data::Empty);
            }
        }
    }
    covered
}

/// Describes the texts that are not shown and therefore not in the table.
pub(super) fn describe_covered_cells(covered: &[&Covered]) -> Option<String> {
    let first = covered.first()?;
    let place = format!("{}{}", column_letters(first.place.1), first.place.0 + 1);
    Some(plural!(
        covered.len(),
        "{n} cell lies under a merged cell, where the workbook does not show it: {place} holds {text}. It is not in the table.",
        "{n} cells lie under merged cells, where the workbook does not show them: {place} holds {text}. They are not in the table.",
        place,
        text = first.text
    ))
}

/// Returns the letters of a column in spreadsheets.
fn column_letters(column: u32) -> String {
    let mut rest = column + 1;
    let mut letters = String::new();
    while rest > 0 {
        letters.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        let named = [0, 25, 26, 701, 702].map(column_letters);
        assert_eq!(named, ["A", "Z", "AA", "ZZ", "AAA"]);
    }

    #[test]
    fn what_a_merged_cell_covers_is_taken_out() {
        let mut cells = Range::new((1, 1), (3, 2));
        let texts = [((1, 1), "shown"), ((2, 1), "old"), ((3, 1), "shown"), ((1, 2), "beside")];
        for (place, text) in texts {
            cells.set_value(place, Data::String(text.to_owned()));
        }
        let covered = take_out(&mut cells, &[[(1, 1), (9, 1)]]);
        assert_eq!(covered, [Covered { place: (2, 1), text: "old".to_owned() }]);
        let held = [(1, 1), (2, 1), (3, 1), (1, 2)]
            .map(|place| cells.get_value(place).and_then(cell_text).unwrap_or_default());
        assert_eq!(held, ["shown", "", "", "beside"]);
    }
}

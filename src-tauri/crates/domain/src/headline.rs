//! The headline of a result: positions in the result and descriptions of its columns, computed from the rows and the
//! query without a model. Front ends turn it into a sentence.

use crate::page::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The headline of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Headline {
    /// The form of the result.
    pub shape: HeadlineShape,
    /// Indices of the columns that name a row, the most descriptive first. Together they are unique. Empty if there are
    /// no such columns.
    pub labels: Vec<u32>,
    /// The index of the column with the main number of the result; `None` if there is none or several are possible.
    pub measure: Option<u32>,
    /// True if values of the measure can be summed: it is a count or a sum, not an average or share.
    pub adds_up: bool,
    /// The rows with the largest value of the measure, among all rows of the query.
    pub highest: Option<Extreme>,
    /// The rows with the smallest value of the measure.
    pub lowest: Option<Extreme>,
    /// A description of each column from the query; `None` if its name already says the same.
    pub meanings: Vec<Option<String>>,
    /// The tables that the rows come from.
    pub tables: Vec<String>,
    /// The conditions that the rows meet, in words.
    pub conditions: Vec<String>,
    /// True if the query limits the number of its rows, or may do so.
    pub limited: bool,
}

/// Maximum number of tied rows that are named before "and 3 more".
const NAMED: usize = 3;

impl Headline {
    /// Returns the texts from the database and the query that a sentence about the result contains: columns, tables,
    /// conditions and the named values.
    pub fn mentioned_texts<'a>(&'a self, page: &'a Page) -> Vec<&'a str> {
        let cell = |row: usize, at: u32| page.rows.get(row)?.get(at as usize)?.as_deref();
        let columns = page.columns.iter().map(|column| column.name.as_str());
        let meanings = self.meanings.iter().flatten().map(String::as_str);
        let mut told: Vec<&str> =
            columns.chain(meanings).chain(self.tables.iter().chain(&self.conditions).map(String::as_str)).collect();
        if matches!(self.shape, HeadlineShape::Value | HeadlineShape::Row) {
            told.extend(page.rows.first().into_iter().flatten().flatten().map(String::as_str));
        }
        let mut name = |row: usize| told.extend(self.labels.iter().filter_map(|at| cell(row, *at)));
        if self.shape == HeadlineShape::Series && !page.rows.is_empty() {
            name(0);
            name(page.rows.len() - 1);
        }
        for end in [self.highest, self.lowest].into_iter().flatten() {
            let Some(measure) = self.measure else { break };
            let value = cell(end.row as usize, measure);
            let holders = (0..page.rows.len()).filter(|row| cell(*row, measure) == value);
            holders.take(NAMED).for_each(&mut name);
        }
        let ends = [self.highest, self.lowest].into_iter().flatten();
        told.extend(ends.filter_map(|end| cell(end.row as usize, self.measure?)));
        told
    }
}

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum HeadlineShape {
    /// The result has no rows.
    Empty,
    /// One row with one column.
    Value,
    /// One row with several columns.
    Row,
    /// One row per point in time, in chronological order.
    Series,
    /// Rows with a known highest or lowest value.
    Ranked,
    /// Rows without any further known property.
    Rows,
}

/// The rows with the largest or the smallest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Extreme {
    /// The index of the first such row, from 0.
    pub row: u32,
    /// Number of rows with this value.
    pub rows: u32,
}

/// A verified question that the models of a run get as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GuidedBy {
    /// The id of the saved question.
    pub saved_id: String,
    /// The title of the saved question at the time of the run.
    pub title: String,
}

/// The question that a follow-up refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FollowUp {
    /// The run of the previous question.
    pub run_id: String,
    /// The text of the previous question.
    pub question: String,
    /// The follow-up as typed: "and for 2023?"
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{CellType, ResultColumn};

    #[test]
    fn told_is_what_the_sentence_names() {
        let column = |name: &str, cell_type| ResultColumn::new(name, cell_type);
        let row = |city: &str, n: &str| vec![Some(city.to_owned()), Some(n.to_owned())];
        let page = Page {
            columns: vec![column("city", CellType::Text), column("count(*)", CellType::Integer)],
            rows: vec![row("Lyon", "9"), row("Rome", "5"), row("Oslo", "1")],
            row_count: 3,
            truncated: false,
        };
        let headline = Headline {
            shape: HeadlineShape::Ranked,
            labels: vec![0],
            measure: Some(1),
            adds_up: true,
            highest: Some(Extreme { row: 0, rows: 1 }),
            lowest: Some(Extreme { row: 2, rows: 1 }),
            meanings: vec![None, Some("number of orders".to_owned())],
            tables: vec!["orders".to_owned()],
            conditions: vec!["status is “paid”".to_owned()],
            limited: false,
        };
        let told = headline.mentioned_texts(&page);
        let expected = ["city", "count(*)", "number of orders", "orders", "status is “paid”", "Lyon", "Oslo", "9", "1"];
        assert_eq!(told, expected);
    }
}

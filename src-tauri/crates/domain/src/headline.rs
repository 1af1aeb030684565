//! What a result says at a glance, from its rows and its query alone. No model is asked, and no word of it is made up:
//! these are places in the result, and what the query says its columns are. Front ends put them into words.

use crate::page::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What a result says at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Headline {
    /// The form of the result.
    pub shape: HeadlineShape,
    /// The columns that name a row, most telling first: together they differ from row to row. Empty where nothing does.
    pub labels: Vec<u32>,
    /// The one column with the number that the result is about; `None` where there is none or several could be.
    pub measure: Option<u32>,
    /// Whether values of the measure may be added up: it is a count or a sum, and no average or share.
    pub adds_up: bool,
    /// The rows with the largest value of the measure, of all rows that the query is about.
    pub highest: Option<Extreme>,
    /// The rows with the smallest value.
    pub lowest: Option<Extreme>,
    /// What each column is, in words of the query; `None` where its name says as much.
    pub meanings: Vec<Option<String>>,
    /// The tables that the rows come from.
    pub tables: Vec<String>,
    /// The conditions that the rows meet, in words.
    pub conditions: Vec<String>,
    /// Whether the query itself keeps a number of rows only, or may do so.
    pub limited: bool,
}

/// Rows that share a place and are named, before "and 3 more".
const NAMED: usize = 3;

impl Headline {
    /// The texts that a sentence about the result is made of, as the database and the query have them: what its columns are, its tables
    /// and conditions, and the values that are named.
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
    /// No rows.
    Empty,
    /// One row of one column.
    Value,
    /// One row.
    Row,
    /// Rows in the order of a point in time, one row each.
    Series,
    /// Rows of which the highest or the lowest is known.
    Ranked,
    /// Rows of which nothing more can be said.
    Rows,
}

/// The rows that hold the largest or the smallest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Extreme {
    /// The first of them, counted from 0.
    pub row: u32,
    /// How many there are.
    pub rows: u32,
}

/// A question that the user has verified, shown to the models of a run as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GuidedBy {
    /// The saved question.
    pub saved_id: String,
    /// Its name for people, as it was then.
    pub title: String,
}

/// The question that a question follows up on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FollowUp {
    /// Its run.
    pub run_id: String,
    /// As it was asked there.
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
        let column = |name: &str, cell_type| ResultColumn { name: name.to_owned(), cell_type, masked: false };
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

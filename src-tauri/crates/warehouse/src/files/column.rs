//! A column on its way from text to its type.

use super::value_counts::{ValueCount, in_words};
use crate::duck::{quote_identifier, quote_literal};
use vitrine_words::{in_english, tr};

/// Columns that one query asks about: the engine plans a query in a time that grows with the square of its expressions.
pub(super) const AT_ONCE: usize = 32;

/// What was done to a column's text.
#[derive(Debug, Clone)]
pub(super) struct How {
    /// In English, for the column's comment: models read it.
    pub comment: String,
    /// For whoever looks at how the file was read.
    pub said: String,
}

impl How {
    /// Says it for both.
    pub fn new(say: impl Fn() -> String) -> Self {
        Self { comment: in_english(&say), said: say() }
    }

    /// Adds a clause to both.
    pub fn with_clause(self, say: impl Fn(&str) -> String) -> Self {
        Self { comment: in_english(|| say(&self.comment)), said: say(&self.said) }
    }
}

/// A column on its way from text to its type.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub name: String,
    /// The type that its text is read as; of text that is converted, `VARCHAR`.
    pub data_type: String,
    /// What is made of the text, as an expression.
    pub value: Option<String>,
    /// The same in words.
    pub how: Option<How>,
    /// Nothing is to be found out any more.
    pub is_settled: bool,
    /// Markers of missing values among its texts.
    pub missing: Vec<ValueCount>,
    /// The few values that are no numbers or dates, in a column of these that stays text.
    pub others: Vec<ValueCount>,
    /// Some of its texts are words, so that it is neither numbers nor times.
    pub is_words: bool,
    /// The unit in a row below the names.
    pub unit: Option<String>,
}

impl Column {
    pub fn new(name: String, data_type: &str) -> Self {
        Self {
            name,
            data_type: data_type.to_owned(),
            value: None,
            how: None,
            is_settled: false,
            missing: Vec::new(),
            others: Vec::new(),
            is_words: false,
            unit: None,
        }
    }

    /// Returns whether its texts may be numbers or times.
    pub fn may_be_numbers(&self) -> bool {
        self.data_type == "VARCHAR" && !self.is_words
    }

    /// Returns the expression for the text without blanks around it; NULL where it is empty or a marker.
    pub fn text_expression(&self) -> String {
        let text = format!("nullif(trim({}), '')", quote_identifier(&self.name));
        if self.missing.is_empty() {
            return text;
        }
        let markers: Vec<String> = self.missing.iter().map(|marker| quote_literal(&marker.text)).collect();
        format!("CASE WHEN {text} NOT IN ({}) THEN {text} END", markers.join(", "))
    }

    /// Reads the text by an expression.
    pub fn set_conversion(&mut self, value: String, how: How) {
        self.data_type = "VARCHAR".to_owned();
        (self.value, self.how) = (Some(value), Some(how));
    }

    /// Leaves the text as it is.
    pub fn keep_text(&mut self) {
        self.data_type = "VARCHAR".to_owned();
    }

    /// Takes the workbook's own type, which nothing changes any more.
    pub fn own_type(&mut self, data_type: String) {
        (self.data_type, self.is_settled) = (data_type, true);
    }

    /// Converts the texts between markers to the type found for them, and adds markers and unit to the words.
    pub fn finish_conversion(&mut self) {
        if self.value.is_none() && !self.missing.is_empty() && self.data_type != "VARCHAR" {
            let is_time = self.data_type == "TIME";
            let how = How::new(|| if is_time { tr!("read as a time of day") } else { tr!("read as a number") });
            self.set_conversion(format!("CAST({} AS {})", self.text_expression(), self.data_type), how);
        }
        if self.value.is_some() && !self.missing.is_empty() {
            let how = self.how.take();
            self.how = how.map(|how| {
                how.with_clause(|read| tr!("{read}; missing: {markers}", read, markers = in_words(&self.missing)))
            });
        }
        if let Some(unit) = &self.unit {
            self.how = Some(match self.how.take() {
                Some(how) => how.with_clause(|read| tr!("{read}; in {unit}", read, unit)),
                None => How::new(|| tr!("in {unit}", unit)),
            });
        }
    }
}

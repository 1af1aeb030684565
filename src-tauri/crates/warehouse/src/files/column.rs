//! A column during the conversion from text to its type.

use super::value_counts::{ValueCount, in_words};
use crate::engines::duck::{quote_identifier, quote_literal};
use vitrine_words::{in_english, tr};

/// Maximum number of columns per query, because the engine's planning time grows with the square of the number of
/// expressions.
pub(super) const AT_ONCE: usize = 32;

/// A description of the conversion of a column's text.
#[derive(Debug, Clone)]
pub(super) struct How {
    /// The English text for the column's comment, which models read.
    pub comment: String,
    /// The text for the user, in the language of the program.
    pub said: String,
}

impl How {
    /// Creates both texts with one function.
    pub fn new(say: impl Fn() -> String) -> Self {
        Self { comment: in_english(&say), said: say() }
    }

    /// Appends a clause to both texts.
    pub fn with_clause(self, say: impl Fn(&str) -> String) -> Self {
        Self { comment: in_english(|| say(&self.comment)), said: say(&self.said) }
    }
}

/// A column during the conversion from text to its type.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub name: String,
    /// The type as which its text is read; `VARCHAR` if the text is converted.
    pub data_type: String,
    /// The SQL expression that converts the text.
    pub value: Option<String>,
    /// The description of the conversion.
    pub how: Option<How>,
    /// True if the type is final.
    pub is_settled: bool,
    /// Markers of missing values among its texts.
    pub missing: Vec<ValueCount>,
    /// The few values other than numbers or dates that keep a column as text.
    pub others: Vec<ValueCount>,
    /// True if some texts are words, so that it contains neither numbers nor times.
    pub is_words: bool,
    /// The unit from a row below the names.
    pub unit: Option<String>,
    /// True if it is known why it stays text.
    pub has_reason: bool,
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
            has_reason: false,
        }
    }

    /// Returns true if its texts may be numbers or times.
    pub fn may_be_numbers(&self) -> bool {
        self.data_type == "VARCHAR" && !self.is_words
    }

    /// Returns the expression for the text without surrounding blanks; NULL if it is empty or a marker.
    pub fn text_expression(&self) -> String {
        let text = format!("nullif(trim({}), '')", quote_identifier(&self.name));
        if self.missing.is_empty() {
            return text;
        }
        let markers: Vec<String> = self.missing.iter().map(|marker| quote_literal(&marker.text)).collect();
        format!("CASE WHEN {text} NOT IN ({}) THEN {text} END", markers.join(", "))
    }

    /// Converts the text by an expression.
    pub fn set_conversion(&mut self, value: String, how: How) {
        self.data_type = "VARCHAR".to_owned();
        (self.value, self.how) = (Some(value), Some(how));
    }

    /// Keeps the text without conversion.
    pub fn keep_text(&mut self) {
        self.data_type = "VARCHAR".to_owned();
    }

    /// Sets the workbook's own type, which is final.
    pub fn own_type(&mut self, data_type: String) {
        (self.data_type, self.is_settled) = (data_type, true);
    }

    /// Casts the texts between markers to the detected type, and adds markers and unit to the description.
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

//! A column on its way from text to its type.

use vitrine_words::in_english;

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
}

impl Column {
    pub fn new(name: String, data_type: &str) -> Self {
        Self { name, data_type: data_type.to_owned(), value: None, how: None, is_settled: false }
    }

    /// Reads the text by an expression.
    pub fn convert(&mut self, value: String, how: How) {
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
}

//! Options for rendering schemas.

use vitrine_domain::{ColumnProfile, ModelProfile};

/// Characters of a token.
const TOKEN: usize = 4;
/// The fields of one nested column may take this fraction of a chunk.
const FIELDS_SHARE: usize = 8;

/// Formats in which tables are rendered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SchemaForm {
    /// CREATE statements with one column per line.
    #[default]
    Statements,
    /// Lists of columns with examples (DSR-SQL, appendix B).
    MSchema,
}

/// Content of the text besides names and types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderOptions {
    /// Number of values per column; 0 for none. A category of at most eight values is listed completely.
    pub samples: usize,
    /// Include comments of tables and columns.
    pub comments: bool,
    /// Include minimum and maximum of numbers and dates.
    pub ranges: bool,
    /// Include key columns of selected tables even if they are not selected, since joins need them.
    pub keys: bool,
    /// Keep the comma after the last line of a table. The small model was measured with it; it confuses others.
    pub last_comma: bool,
    /// Include for columns the ratio of NULLs, number of distinct values, mean and deviation; for views lineage and
    /// definition (ProSPy, appendix A.1). Intended for models that deliberate: small models are distracted by it.
    pub statistics: bool,
    /// Maximum number of characters of the fields of a nested column, each with type, values and statistics; 0 lists
    /// only the first paths.
    pub fields: usize,
    /// The question, whose words select the fields if not all of them fit.
    pub question: String,
    /// Format in which tables are rendered.
    pub form: SchemaForm,
}

impl RenderOptions {
    /// Returns the options that suit a model.
    pub fn for_model(profile: &ModelProfile) -> Self {
        let fields = if profile.deliberates { profile.chunk_budget as usize * TOKEN / FIELDS_SHARE } else { 0 };
        let (last_comma, statistics) = (!profile.deliberates, profile.deliberates);
        Self { last_comma, statistics, fields, ..Self::default() }
    }

    /// Returns the same options with M-Schema for a model that deliberates. The small model was measured with
    /// statements, which are shorter.
    pub fn m_schema(profile: &ModelProfile) -> Self {
        let form = if profile.deliberates { SchemaForm::MSchema } else { SchemaForm::Statements };
        Self { form, ..Self::for_model(profile) }
    }

    /// Returns true if the fields of a column are described on lines of their own.
    pub(super) fn lists_fields(&self, profile: &ColumnProfile) -> bool {
        self.fields > 0 && !profile.fields.is_empty()
    }

    /// Returns the options for a question.
    #[must_use]
    pub fn with_question(self, question: String) -> Self {
        Self { question, ..self }
    }
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            samples: 3,
            comments: true,
            ranges: true,
            keys: true,
            last_comma: true,
            statistics: false,
            fields: 0,
            question: String::new(),
            form: SchemaForm::default(),
        }
    }
}

//! Options for rendering schemas.

use vitrine_domain::ModelProfile;

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
    /// Format in which tables are rendered.
    pub form: SchemaForm,
}

impl RenderOptions {
    /// Returns the options that suit a model.
    pub fn for_model(profile: &ModelProfile) -> Self {
        Self { last_comma: !profile.deliberates, statistics: profile.deliberates, ..Self::default() }
    }

    /// Returns the same options with M-Schema for a model that deliberates. The small model was measured with
    /// statements, which are shorter.
    pub fn m_schema(profile: &ModelProfile) -> Self {
        let form = if profile.deliberates { SchemaForm::MSchema } else { SchemaForm::Statements };
        Self { form, ..Self::for_model(profile) }
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
            form: SchemaForm::default(),
        }
    }
}

//! How much a schema's text says.

use vitrine_domain::ModelProfile;

/// How tables are written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SchemaForm {
    /// As CREATE statements, a column a line.
    #[default]
    Statements,
    /// As lists of columns with examples (DSR-SQL, appendix B).
    MSchema,
}

/// What stands in the text besides names and types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderOptions {
    /// Values per column; 0 for none. A category of at most eight values is shown whole.
    pub samples: usize,
    /// The owner's comments.
    pub comments: bool,
    /// Smallest and largest values of numbers and dates.
    pub ranges: bool,
    /// With a selection: key columns of the selected tables even where they are not selected, since joins need them.
    pub keys: bool,
    /// A comma behind the last line of a table, too. The small model has been measured with it; others are put off by it.
    pub last_comma: bool,
    /// Of columns how many values are NULL and how many differ, mean and spread; of views their lineage and definition
    /// (ProSPy, appendix A.1). For models that weigh what they read: a small one loses the names among it.
    pub statistics: bool,
    /// How tables are written down.
    pub form: SchemaForm,
}

impl RenderOptions {
    /// As a model reads it best.
    pub fn of(profile: &ModelProfile) -> Self {
        Self { last_comma: !profile.deliberates, statistics: profile.deliberates, ..Self::default() }
    }

    /// The same as M-Schema for a model that deliberates. The small one was measured with statements, which are shorter.
    pub fn m_schema(profile: &ModelProfile) -> Self {
        let form = if profile.deliberates { SchemaForm::MSchema } else { SchemaForm::Statements };
        Self { form, ..Self::of(profile) }
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

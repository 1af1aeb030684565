//! SQL and names as text: quoting, formatting, similar names.

mod calendar;
mod format;
mod names;
mod number_form;
mod quote;
mod reserved;
mod restated;

pub use calendar::{days_in_month, is_date};
pub use format::{first_statement, format};
pub use names::{name_words, normalized, resembling, same_name, singular};
pub use number_form::{plainly, written_number};
pub use quote::{first_rows, folds, ident, quote, table_ref, text_value, unquoted};
pub use restated::is_restated;

pub(crate) use names::nearest;
pub(crate) use quote::needs_quotes;
pub(crate) use reserved::reserved;

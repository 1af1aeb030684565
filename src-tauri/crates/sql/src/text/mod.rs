//! SQL and names as text: quoting, formatting, similar names.

mod format;
mod names;
mod number_form;
mod number_words;
mod quote;
mod reserved;
mod restated;

pub use crate::dialect::{days_in_month, is_date};
pub use format::{first_statement, format_sql};
pub use names::{find_similar_names, name_words, normalize_name, same_name, singular_name};
pub use number_form::{cast_plain_number, written_number};
pub use number_words::parse_number_word;
pub use quote::{
    build_identifier, first_rows, fold_identifier, folds_identifiers, quote_identifier, table_ref, text_value,
};
pub use restated::is_restated;

pub(crate) use names::find_nearest;
pub(crate) use quote::needs_quotes;
pub(crate) use reserved::is_reserved;

use super::Snowflake;
use crate::column_type::{ColumnType, type_name};
use crate::dialect::{Syntax, UnquotedCase};
use crate::rejection::SqlRejection;
use sqlparser::dialect::{Dialect as Grammar, SnowflakeDialect};
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};
use vitrine_words::tr;

/// Additional reserved words of Snowflake.
const RESERVED: &str = "account connection gscluster increment issue organization schema whenever";

impl Syntax for Snowflake {
    fn grammar(&self) -> &'static dyn Grammar {
        &SnowflakeDialect
    }

    fn splits_number_from_letters(&self) -> bool {
        true
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], _: &str) -> Result<(), SqlRejection> {
        self.reject_ambiguous_literals(tokens)?;
        for token in tokens {
            match &token.token {
                // Snowflake reads another statement after it, which may be of any kind.
                Token::LongArrow => return Err(SqlRejection::unclear(|| tr!("the sign ->>"))),
                // Snowflake does not read this as a comment.
                Token::Whitespace(Whitespace::SingleLineComment { prefix, .. }) if prefix == "#" => {
                    return Err(SqlRejection::unclear(|| tr!("the sign #")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn unquoted_case(&self) -> UnquotedCase {
        UnquotedCase::Upper
    }

    fn is_reserved_word(&self, word: &str) -> bool {
        RESERVED.split(' ').any(|known| known == word)
    }

    fn names_container_in_database(&self) -> bool {
        true
    }

    fn has_backslash_escapes(&self) -> bool {
        true
    }

    fn has_backslash_escapes_within(&self, quote: char) -> bool {
        quote == '\''
    }

    fn column_type(&self, data_type: &str) -> ColumnType {
        match type_name(data_type).as_str() {
            "NUMBER" if data_type.contains(",0)") || !data_type.contains(',') => ColumnType::Whole,
            _ => ColumnType::from_common_type(data_type),
        }
    }

    // The pattern always has to match the whole text.
    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("REGEXP_LIKE(TRIM({text}), {})", self.text_value(pattern)))
    }

    fn definition_signs(&self) -> &'static [&'static str] {
        &["create or replace table", "variant", " number(38", "varchar(16777216)", "timestamp_ntz"]
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["snowflake", "spider2-snow"]
    }

    fn has_schema_folders(&self) -> bool {
        true
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["snowflake"]
    }
}

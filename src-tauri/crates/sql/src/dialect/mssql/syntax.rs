use super::Mssql;
use super::lexer::reject_multiple_queries;
use crate::column_type::{ColumnType, type_name};
use crate::dialect::{RowLimitForm, Syntax};
use crate::rejection::SqlRejection;
use sqlparser::ast::Value;
use sqlparser::dialect::{Dialect as Grammar, MsSqlDialect};
use sqlparser::tokenizer::TokenWithSpan;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Additional reserved words of SQL Server.
const RESERVED: &str = "\
    backup break browse bulk checkpoint close clustered compute containstable continue cursor dbcc deallocate \
    declare deny disk distributed double dump errlvl exec exit file fillfactor freetext freetexttable goto holdlock \
    identity identity_insert identitycol kill lineno load national nocheck nonclustered offsets open opendatasource \
    openquery openrowset openxml option percent precision print proc procedure public raiserror read readtext \
    reconfigure replication restore return revert revoke rowcount rowguidcol rule save schema securityaudit setuser \
    shutdown statistics system_user textsize top tran truncate tsequal updatetext use waitfor while writetext";

impl Syntax for Mssql {
    fn grammar(&self) -> &'static dyn Grammar {
        &MsSqlDialect {}
    }

    fn formatter(&self) -> sqlformat::Dialect {
        sqlformat::Dialect::SQLServer
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], _: &str) -> Result<(), SqlRejection> {
        reject_multiple_queries(tokens)?;
        self.reject_ambiguous_literals(tokens)
    }

    fn row_limit_form(&self) -> RowLimitForm {
        RowLimitForm::Top
    }

    fn is_reserved_word(&self, word: &str) -> bool {
        static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
        WORDS.contains(word)
    }

    fn default_schema(&self) -> Option<&'static str> {
        Some("dbo")
    }

    fn system_catalogs(&self) -> &'static [&'static str] {
        &["master", "model", "msdb", "tempdb"]
    }

    // Without the prefix N, SQL Server loses characters outside of its code page.
    fn text_value(&self, text: &str) -> Value {
        match text.is_ascii() {
            true => Value::SingleQuotedString(text.to_owned()),
            false => Value::NationalStringLiteral(text.to_owned()),
        }
    }

    // CAST to VARCHAR without a length truncates to 30 characters.
    fn text_type(&self) -> &'static str {
        "NVARCHAR(4000)"
    }

    fn column_type(&self, data_type: &str) -> ColumnType {
        match type_name(data_type).as_str() {
            "BIT" => ColumnType::Boolean,
            "MONEY" | "SMALLMONEY" => ColumnType::Decimal,
            "SMALLDATETIME" => ColumnType::Timestamp,
            "SYSNAME" | "NTEXT" => ColumnType::Text,
            // In SQL Server, TIMESTAMP is a row version and not a time.
            "TIMESTAMP" | "ROWVERSION" | "IMAGE" | "UNIQUEIDENTIFIER" | "HIERARCHYID" | "SQL_VARIANT" => {
                ColumnType::Other
            }
            _ => ColumnType::from_common_type(data_type),
        }
    }

    fn division_truncates(&self) -> bool {
        true
    }

    fn regex_condition(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    // LIKE also supports sets of characters.
    fn glob_condition(&self, text: &str, pattern: &str) -> String {
        format!("{text} LIKE {}", self.text_value(&like_pattern(pattern)))
    }

    fn append_to_text(&self, text: &str, ending: char) -> String {
        format!("CONCAT({text}, '{ending}')")
    }

    fn number_from_text(&self, text: &str) -> String {
        format!("TRY_CAST({text} AS FLOAT)")
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["mssql", "sqlserver", "tds"]
    }
}

/// Converts a GLOB pattern to a pattern of LIKE.
fn like_pattern(pattern: &str) -> String {
    let letter = |letter| match letter {
        '*' => "%".to_owned(),
        '?' => "_".to_owned(),
        '%' | '_' => format!("[{letter}]"),
        letter => letter.to_string(),
    };
    pattern.chars().map(letter).collect()
}

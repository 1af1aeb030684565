use super::Mysql;
use super::grammar::MysqlGrammar;
use super::lexer::{reject_unread_tokens, restore_bit_literal};
use super::tables::adapt_tables;
use crate::column_type::ColumnType;
use crate::dialect::Syntax;
use crate::dialect::lexer::unescape_token;
use crate::rejection::SqlRejection;
use sqlparser::dialect::Dialect as Grammar;
use sqlparser::tokenizer::TokenWithSpan;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Additional reserved words of MySQL and MariaDB.
const RESERVED: &str = "\
    accessible asensitive blob change character condition continue convert cume_dist cursor databases day_hour \
    day_microsecond day_minute day_second dec decimal declare delayed dense_rank deterministic distinctrow div \
    double dual elseif empty enclosed escaped exit first_value float float4 float8 force fulltext get high_priority \
    hour_microsecond hour_minute hour_second inout insensitive int int1 int2 int3 int4 int8 integer io_after_gtids \
    io_before_gtids iterate json_table keys kill lag last_value lead leave linear lines load lock long longblob \
    longtext loop low_priority master_bind master_ssl_verify_server_cert maxvalue mediumblob mediumint mediumtext \
    middleint minute_microsecond minute_second mod modifies no_write_to_binlog nth_value ntile numeric offset \
    optimize optimizer_costs option optionally out outfile percent_rank precision procedure purge rank read reads \
    read_write real regexp repeat require resignal return revoke rlike row_number schema schemas second_microsecond \
    sensitive separator set signal smallint spatial specific sql sql_big_result sql_calc_found_rows sql_small_result \
    sqlexception sqlstate sqlwarning ssl starting stored straight_join system terminated tinyblob tinyint tinytext \
    undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter while write xor \
    year_month zerofill";

impl Syntax for Mysql {
    fn grammar(&self) -> &'static dyn Grammar {
        &MysqlGrammar
    }

    fn keeps_escapes(&self) -> bool {
        true
    }

    fn adapt_tokens(&self, tokens: &mut Vec<TokenWithSpan>) {
        for token in tokens {
            unescape_token(&mut token.token);
            restore_bit_literal(&mut token.token);
        }
    }

    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], sql: &str) -> Result<(), SqlRejection> {
        reject_unread_tokens(tokens, sql)?;
        self.reject_ambiguous_literals(tokens)
    }

    fn rewrite_from_clauses(&self, tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        adapt_tables(tokens)
    }

    fn identifier_quote(&self) -> char {
        '`'
    }

    fn is_reserved_word(&self, word: &str) -> bool {
        static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
        WORDS.contains(word)
    }

    // Scripts of MySQL are split as if strings had no escapes.
    fn has_backslash_escapes_in_scripts(&self) -> bool {
        false
    }

    fn text_type(&self) -> &'static str {
        "CHAR"
    }

    fn column_type(&self, data_type: &str) -> ColumnType {
        // MySQL's representation of BOOLEAN.
        if data_type.trim().to_ascii_uppercase().starts_with("TINYINT(1)") {
            return ColumnType::Boolean;
        }
        ColumnType::from_common_type(data_type)
    }

    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("TRIM({text}) REGEXP {}", self.text_value(&format!("^{pattern}$"))))
    }

    fn definition_signs(&self) -> &'static [&'static str] {
        &["engine=", "auto_increment", "default charset", "lock tables `"]
    }

    fn folder_names(&self) -> &'static [&'static str] {
        &["mysql", "mariadb"]
    }

    fn driver_names(&self) -> &'static [&'static str] {
        &["mysql"]
    }
}

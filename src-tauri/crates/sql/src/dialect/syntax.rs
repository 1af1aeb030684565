//! Text, tokens and literals: how SQL of a dialect is read and written.

use crate::column_type::ColumnType;
use crate::rejection::SqlRejection;
use sqlparser::ast::{Statement, Value};
use sqlparser::dialect::Dialect as Grammar;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_words::tr;

/// The case in which an engine stores an unquoted name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnquotedCase {
    /// As written.
    Kept,
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
}

/// The form of a query's row limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowLimitForm {
    /// `LIMIT m OFFSET n`.
    Limit,
    /// `LIMIT m`, and with an offset `OFFSET n ROWS FETCH FIRST m ROWS ONLY`.
    FetchAfterOffset,
    /// `SELECT TOP (m)`, and with an offset `OFFSET n ROWS FETCH FIRST m ROWS ONLY` after ORDER BY.
    Top,
}

/// Text, tokens and literals: how SQL of a dialect is read and written. Defaults describe the most common behavior.
pub trait Syntax: Sync {
    /// Returns the parser's grammar.
    fn grammar(&self) -> &'static dyn Grammar;

    /// Returns the formatter's grammar.
    fn formatter(&self) -> sqlformat::Dialect {
        sqlformat::Dialect::Generic
    }

    /// Returns true if tokens and the tree keep the backslashes of a string's escapes.
    fn keeps_escapes(&self) -> bool {
        false
    }

    /// Changes tokens that the lexer reads differently from the engine.
    fn adapt_tokens(&self, _tokens: &mut Vec<TokenWithSpan>) {}

    /// Returns true if an engine of this dialect may read `E'...'` as a string with escapes.
    fn has_escape_strings(&self) -> bool {
        true
    }

    /// Returns true if letters directly after a number are always read as a name.
    fn splits_number_from_letters(&self) -> bool {
        false
    }

    /// Rejects literals that lexers split differently.
    ///
    /// # Errors
    /// The first literal of this kind.
    fn reject_ambiguous_literals(&self, tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
        for pair in tokens.windows(2) {
            if let (Token::Word(word), Token::SingleQuotedString(_)) = (&pair[0].token, &pair[1].token)
                && word.quote_style.is_none()
                && word.value.eq_ignore_ascii_case("e")
                && self.has_escape_strings()
            {
                return Err(SqlRejection::unclear(|| tr!("an escape string E'...'; use an ordinary string")));
            }
            // Some lexers read `0X1F`, `0b101` and `1e` as numbers, others as a number and a name.
            if let (Token::Number(..), Token::Word(word)) = (&pair[0].token, &pair[1].token)
                && word.quote_style.is_none()
                && pair[0].span.end == pair[1].span.start
                && !self.splits_number_from_letters()
            {
                return Err(SqlRejection::unclear(|| tr!("a number that goes on in letters")));
            }
        }
        Ok(())
    }

    /// Rejects text that the lexer may split differently from an engine of this dialect.
    ///
    /// # Errors
    /// The first text of this kind.
    fn reject_ambiguous(&self, tokens: &[TokenWithSpan], _sql: &str) -> Result<(), SqlRejection> {
        self.reject_ambiguous_literals(tokens)
    }

    /// Rewrites FROM clauses that the parser lacks into equivalent ones.
    fn rewrite_from_clauses(&self, tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        tokens
    }

    /// Returns keywords of the parser that are names in this dialect, in upper case.
    fn keywords_as_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Removes modifiers of tables and joins that the syntax tree cannot represent.
    fn remove_modifiers(&self, tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
        tokens
    }

    /// Converts syntax that only this dialect has into its standard form in the tree.
    fn standardize_tree(&self, _statements: &mut Vec<Statement>) {}

    /// Returns the form of a query's row limit.
    fn row_limit_form(&self) -> RowLimitForm {
        RowLimitForm::Limit
    }

    /// Returns the case in which unquoted names are stored.
    fn unquoted_case(&self) -> UnquotedCase {
        UnquotedCase::Kept
    }

    /// Returns the character that quotes an identifier.
    fn identifier_quote(&self) -> char {
        '"'
    }

    /// Formats an identifier in quotes.
    fn quoted_identifier(&self, name: &str) -> String {
        let quote = self.identifier_quote();
        format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
    }

    /// Returns true for a lower-case word that only this dialect and few others reserve.
    fn is_reserved_word(&self, _word: &str) -> bool {
        false
    }

    /// Returns true if the parts of a table's name may be in one pair of quotes, and contain hyphens without quotes.
    fn has_quoted_paths(&self) -> bool {
        false
    }

    /// Returns true if a name that ends in `*` means all tables whose names begin like it.
    fn has_wildcard_tables(&self) -> bool {
        false
    }

    /// Returns the schema of tables whose names have no schema. `None` if it depends on the connection.
    fn default_schema(&self) -> Option<&'static str> {
        None
    }

    /// Returns the catalogs that belong to the engine itself.
    fn system_catalogs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if a table's name may begin with a catalog that a driver lists.
    fn has_catalogs_in_names(&self) -> bool {
        false
    }

    /// Returns true if the search path of a connection lists a schema first and then the container of schemas.
    fn lists_container_in_search_path(&self) -> bool {
        false
    }

    /// Returns true if the name of a connection's database begins with the container of its schemas.
    fn names_container_in_database(&self) -> bool {
        self.lists_container_in_search_path()
    }

    /// Returns the hidden column that identifies a stored row of a table.
    fn row_id(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if a backslash in a string begins an escape.
    fn has_backslash_escapes(&self) -> bool {
        self.keeps_escapes()
    }

    /// Returns true if a backslash escapes the next character within these quotes, which enclose a string or a name.
    fn has_backslash_escapes_within(&self, _quote: char) -> bool {
        self.has_backslash_escapes()
    }

    /// Returns true if a backslash hides a quote where a script is split into statements.
    fn has_backslash_escapes_in_scripts(&self) -> bool {
        self.has_backslash_escapes()
    }

    /// Builds a string literal of the syntax tree.
    fn text_value(&self, text: &str) -> Value {
        Value::SingleQuotedString(if self.keeps_escapes() { text.replace('\\', "\\\\") } else { text.to_owned() })
    }

    /// Formats a string as a constant.
    fn quoted_text(&self, text: &str) -> String {
        let text = if self.has_backslash_escapes() { text.replace('\\', "\\\\") } else { text.to_owned() };
        format!("'{}'", text.replace('\'', "''"))
    }

    /// Returns the type name with which CAST converts to text of any length.
    fn text_type(&self) -> &'static str {
        "TEXT"
    }

    /// Returns the class of a declared type such as `DECIMAL(10,2)`.
    fn column_type(&self, data_type: &str) -> ColumnType {
        ColumnType::from_common_type(data_type)
    }

    /// Returns true if the division of integers gives an integer.
    fn division_truncates(&self) -> bool {
        false
    }

    /// Builds a condition that the trimmed text matches a regular expression as a whole. `None` if the dialect has no
    /// regular expressions.
    fn regex_condition(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("REGEXP_LIKE(TRIM({text}), {})", self.text_value(&format!("^{pattern}$"))))
    }

    /// Builds a condition that a text matches a pattern with `*`, `?` and sets of characters.
    fn glob_condition(&self, text: &str, pattern: &str) -> String {
        format!("{text} GLOB {}", self.text_value(pattern))
    }

    /// Builds an expression that appends a character to a text.
    fn append_to_text(&self, text: &str, ending: char) -> String {
        format!("({text} || '{ending}')")
    }

    /// Builds an expression that converts a text with plain digits to a number.
    fn number_from_text(&self, text: &str) -> String {
        format!("CAST({text} AS DOUBLE)")
    }

    /// Returns texts in lower case that only definitions in this dialect contain.
    fn definition_signs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns names of folders that contain definitions in this dialect, in lower case.
    fn folder_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if the folders of definitions are named after the catalogs and schemas of their tables.
    fn has_schema_folders(&self) -> bool {
        false
    }

    /// Returns the names of the dialect in addresses of drivers, the usual one first.
    fn driver_names(&self) -> &'static [&'static str];
}

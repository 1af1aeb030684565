//! T-SQL's own traps: statements need nothing between them, so that a word behind a query may begin the next one.

use super::rejection::SqlRejection;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_words::tr;

/// Reserved words that begin a statement or reach another place. None is a name without quotes, and a query has none of them.
const WORDS: [&str; 57] = [
    "ALTER",
    "BACKUP",
    "BEGIN",
    "BREAK",
    "BROWSE",
    "BULK",
    "CHECKPOINT",
    "CLOSE",
    "COMMIT",
    "COMPUTE",
    "CONTINUE",
    "CREATE",
    "DBCC",
    "DEALLOCATE",
    "DECLARE",
    "DELETE",
    "DENY",
    "DISK",
    "DROP",
    "DUMP",
    "EXEC",
    "EXECUTE",
    "GOTO",
    "GRANT",
    "IF",
    "INSERT",
    "INTO",
    "KILL",
    "LOAD",
    "MERGE",
    "OPEN",
    "OPENDATASOURCE",
    "OPENQUERY",
    "OPENROWSET",
    "OPENXML",
    "PRINT",
    "RAISERROR",
    "READTEXT",
    "RECONFIGURE",
    "RESTORE",
    "RETURN",
    "REVERT",
    "REVOKE",
    "ROLLBACK",
    "SAVE",
    "SET",
    "SETUSER",
    "SHUTDOWN",
    "TRAN",
    "TRANSACTION",
    "TRUNCATE",
    "UPDATE",
    "UPDATETEXT",
    "USE",
    "WAITFOR",
    "WHILE",
    "WRITETEXT",
];

/// Rejects what may be more than one query.
pub fn reject_multiple_queries(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    for token in tokens {
        let Token::Word(word) = &token.token else { continue };
        // Whatever writes the tree out would end the name there.
        if word.quote_style == Some('[') && word.value.contains(']') {
            return Err(SqlRejection::unclear(|| {
                tr!("a name with ] between brackets; write it between double quotes")
            }));
        }
        if word.quote_style.is_some() {
            continue;
        }
        if word.value.starts_with(['@', '#']) {
            return Err(SqlRejection::Parameter { name: word.value.clone() });
        }
        if WORDS.iter().any(|known| word.value.eq_ignore_ascii_case(known)) {
            let word = word.value.to_ascii_uppercase();
            return Err(SqlRejection::unclear(|| tr!("the word {word}, which may begin another statement", word)));
        }
    }
    Ok(())
}

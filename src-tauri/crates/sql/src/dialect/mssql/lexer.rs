//! Pitfalls of T-SQL: statements need no separator, so a word after a query may begin the next statement.

use crate::rejection::SqlRejection;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use vitrine_words::tr;

/// Reserved words that begin a statement or access another server or file. They are not names without quotes, and no
/// query contains them.
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

/// Rejects text that may be more than one query.
pub(super) fn reject_multiple_queries(tokens: &[TokenWithSpan]) -> Result<(), SqlRejection> {
    for token in tokens {
        let Token::Word(word) = &token.token else { continue };
        // The printed tree would end the name there.
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

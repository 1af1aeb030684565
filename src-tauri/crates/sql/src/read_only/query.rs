//! A query that only reads, as text with its proof.

use super::functions::AllowedFunctions;
use super::guard::{Guard, check_first_token, single_query};
use super::names_read::NamesRead;
use super::words::KeywordCalls;
use crate::dialect::DialectExt;
use crate::parse::{
    SqlRejection, check_expansion, check_nesting, is_ordered, parse_tokens, reject_ambiguous, row_limit,
    single_statement, tokenize_sql, visit_tree, with_large_stack,
};
use sqlparser::ast::{Query, Statement};
use std::ops::ControlFlow;
use std::sync::Arc;
use vitrine_domain::Dialect;

/// One statement, proven to be a query that only reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOnlySql {
    pub(super) text: String,
    pub(super) dialect: Dialect,
    pub(super) ordered: bool,
    pub(super) limit: Option<u64>,
    /// True if the proof is based on this crate's parse tree; otherwise only the engine can parse the text correctly.
    pub(super) has_tree: bool,
    /// Names found by the engine's parser if this crate has no tree.
    pub(super) names_read: Option<Arc<NamesRead>>,
    /// Functions that the proof assumed as allowed; rewrites of the query inherit them.
    pub(super) allowed: AllowedFunctions,
}

impl ReadOnlySql {
    /// Proves that `sql` is a single query that only reads.
    ///
    /// # Errors
    /// The reason why the proof failed, also for text that the parser does not understand.
    pub fn parse(sql: &str, dialect: Dialect) -> Result<Self, SqlRejection> {
        Self::parse_with(sql, dialect, &AllowedFunctions::default())
    }

    /// Same as [`ReadOnlySql::parse`], with further allowed functions.
    ///
    /// # Errors
    /// As [`ReadOnlySql::parse`].
    pub fn parse_with(sql: &str, dialect: Dialect, allowed: &AllowedFunctions) -> Result<Self, SqlRejection> {
        // The permission to read descriptions of the database is kept only if the query needs it.
        if allowed.reads_catalog()
            && let Ok(plain) = Self::parse_with(sql, dialect, &allowed.without_catalog())
        {
            return Ok(plain);
        }
        let tokens = tokenize_sql(sql, dialect)?;
        reject_ambiguous(&tokens, sql, dialect)?;
        let (first, text) = single_statement(&tokens, sql)?;
        check_first_token(&first, dialect)?;
        check_nesting(&tokens)?;
        if dialect.sql().expands_views_repeatedly() {
            check_expansion(&tokens)?;
        }
        let text = text.to_owned();
        let (ordered, limit) = with_large_stack(|| {
            let query = single_query(parse_tokens(tokens, dialect)?, &first)?;
            match visit_tree(&query, &mut Guard { dialect, allowed, words: KeywordCalls::default() }) {
                ControlFlow::Break(rejection) => Err(*rejection),
                ControlFlow::Continue(()) => Ok((is_ordered(&query), row_limit(&query))),
            }
        })?;
        Ok(Self { text, dialect, ordered, limit, has_tree: true, names_read: None, allowed: allowed.clone() })
    }

    /// Returns the text as written, without a trailing semicolon and anything after it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the dialect in which the text was proven.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns true if the outermost query has an ORDER BY.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Returns the outermost row limit if it is a plain number.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Returns the names found by the engine's parser in a query without a tree.
    pub fn names_read(&self) -> Option<&NamesRead> {
        self.names_read.as_deref()
    }

    /// Returns true if the query reads descriptions of the database with functions or statements that are reserved to
    /// the user.
    pub fn describes_database(&self) -> bool {
        self.allowed.reads_catalog()
    }

    /// Returns true if the query calls a function that is allowed only by the user's permission: the data it reads is
    /// unknown.
    pub fn calls_allowed_function(&self) -> bool {
        let by_permission = self.allowed.function_names().next().is_some();
        // Without a tree this is expensive to determine.
        by_permission && (!self.has_tree || Self::parse(&self.text, self.dialect).is_err())
    }

    /// Parses the tree again and passes it to `walk`, on a large stack. The tree is not stored, because dropping a deep
    /// one on a small stack would overflow it. `None` if only the engine can parse the query.
    pub fn with_query<T>(&self, walk: impl FnOnce(Query) -> T) -> Option<T> {
        if !self.has_tree {
            return None;
        }
        with_large_stack(|| {
            let tokens = tokenize_sql(&self.text, self.dialect).ok()?;
            let mut statements = parse_tokens(tokens, self.dialect).ok()?;
            match statements.pop() {
                Some(Statement::Query(query)) => Some(walk(*query)),
                _ => None,
            }
        })
    }
}

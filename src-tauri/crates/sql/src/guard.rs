//! The proof that a text only reads. It fails closed: what is not understood is refused.

use crate::ast::last_part;
use crate::functions::{AllowedFunctions, instead, scalar_allowed, table_allowed};
use crate::parse::{self, Offsets, deep, matters};
use sqlparser::ast::{
    BinaryOperator, Expr, Fetch, LimitClause, ObjectName, ObjectNamePart, Query, Select, SetExpr, Statement,
    TableFactor, TopQuantity, Value, ValueWithSpan, Visit, Visitor,
};
use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};
use std::ops::ControlFlow;
use vitrine_domain::{AppError, Dialect, ErrorCode};

/// Why a text is not a query that may run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SqlRejection {
    /// Nothing but white space and comments.
    #[error("there is no SQL here")]
    Empty,
    /// Longer than any query needs to be.
    #[error("the statement has {bytes} bytes, more than the {limit} that are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// Nested more deeply than any query needs to be.
    #[error("the statement is nested too deeply")]
    TooDeep,
    /// Not SQL of this dialect.
    #[error("syntax error at line {line}, column {column}: {message}")]
    Syntax {
        /// What was expected and what was found.
        message: String,
        /// From 1; 0 when not known.
        line: u64,
        /// From 1; 0 when not known.
        column: u64,
    },
    /// More than one statement.
    #[error("only one statement is allowed")]
    NotOneStatement,
    /// A statement or clause that is not a query.
    #[error("{what} is not a query; only SELECT and WITH ... SELECT are allowed")]
    NotAQuery {
        /// The keyword that says so.
        what: String,
    },
    /// Something that would change data, settings or locks.
    #[error("{what} is not allowed: queries may only read")]
    Writes {
        /// The keyword that says so.
        what: String,
    },
    /// A function that is not on the list of harmless ones.
    #[error("function {name} is not available: it does not exist here or may not be used{instead}")]
    Function {
        /// As written, lower case.
        name: String,
        /// What to write in its place; begins with a semicolon, or is empty.
        instead: &'static str,
    },
    /// A file or address where a table should stand.
    #[error("'{name}' names a file; only tables of the connected database can be read")]
    File {
        /// As written.
        name: String,
    },
    /// A parameter, for which there is no value.
    #[error("parameter {name} has no value; write the value itself")]
    Parameter {
        /// As written.
        name: String,
    },
    /// Text that this parser and an engine may read differently.
    #[error("the statement holds {what}")]
    Unclear {
        /// What it is.
        what: String,
    },
    /// The engine's own parser does not take it.
    #[error("{message}")]
    Engine {
        /// What it says.
        message: String,
    },
    /// Not the name of a function.
    #[error("'{name}' is not the name of a function")]
    NotAName {
        /// As given, lower case.
        name: String,
    },
    /// A function that nobody may allow.
    #[error("function {name} can reach beyond the data and is never allowed")]
    NeverAllowed {
        /// As given, lower case.
        name: String,
    },
    /// A view was asked for that is not among those given.
    #[error("there is no view named {name}")]
    UnknownView {
        /// As asked for.
        name: String,
    },
    /// Views that are defined by each other.
    #[error("these views depend on each other in a circle: {}", names.join(", "))]
    Cycle {
        /// Their names.
        names: Vec<String>,
    },
}

impl From<SqlRejection> for AppError {
    fn from(rejection: SqlRejection) -> Self {
        if matches!(rejection, SqlRejection::NotAName { .. } | SqlRejection::NeverAllowed { .. }) {
            return AppError::new(ErrorCode::Usage, format!("The function was not allowed: {rejection}."))
                .hint("Name a function of the database, such as margin or sales.margin.");
        }
        if let SqlRejection::Function { name, instead: "" } = &rejection
            && AllowedFunctions::new([name]).is_ok()
        {
            let hint = format!(
                "If it is a function of your database that only reads, allow it: under Tables, Own functions, or with \
                 vitrine query --allow-function {name}. Then run the query again."
            );
            return AppError::new(ErrorCode::NotReadOnly, format!("The SQL was not run: {rejection}.")).hint(hint);
        }
        let (code, hint) = match &rejection {
            SqlRejection::Empty => (ErrorCode::Usage, "Write one SELECT statement."),
            SqlRejection::Syntax { .. } | SqlRejection::Engine { .. } => {
                (ErrorCode::Usage, "Check the statement at the place named.")
            }
            SqlRejection::TooLong { .. } | SqlRejection::TooDeep => {
                (ErrorCode::Usage, "Simplify the statement or split it.")
            }
            SqlRejection::UnknownView { .. } | SqlRejection::Cycle { .. } => {
                (ErrorCode::Usage, "Check the WITH clause.")
            }
            SqlRejection::NotOneStatement => (ErrorCode::NotReadOnly, "Run the statements one at a time."),
            SqlRejection::Parameter { .. } => (ErrorCode::NotReadOnly, "Replace it by a literal."),
            _ => (ErrorCode::NotReadOnly, "Rewrite it as one SELECT over the connected tables."),
        };
        AppError::new(code, format!("The SQL was not run: {rejection}.")).hint(hint)
    }
}

/// One statement that is proven to be a query which only reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOnlySql {
    pub(crate) text: String,
    pub(crate) dialect: Dialect,
    pub(crate) ordered: bool,
    pub(crate) limit: Option<u64>,
    /// Whether the proof is of the tree that the parser of this crate gives; else only an engine reads it as it is meant.
    pub(crate) has_tree: bool,
    /// What the proof took for granted; rewrites of the query are held to the same.
    pub(crate) allowed: AllowedFunctions,
}

impl ReadOnlySql {
    /// Proves that `sql` is one query that only reads, or says why not.
    ///
    /// # Errors
    /// Whenever the proof fails, also for text that the parser does not understand.
    pub fn parse(sql: &str, dialect: Dialect) -> Result<Self, SqlRejection> {
        Self::parse_with(sql, dialect, &AllowedFunctions::default())
    }

    /// [`ReadOnlySql::parse`] where functions of the database may be called besides those known to be harmless.
    ///
    /// # Errors
    /// As [`ReadOnlySql::parse`].
    pub fn parse_with(sql: &str, dialect: Dialect, allowed: &AllowedFunctions) -> Result<Self, SqlRejection> {
        let tokens = parse::tokens(sql, dialect)?;
        parse::unambiguous(&tokens, sql, dialect)?;
        let (first, text) = statement(&tokens, sql)?;
        opening(&first)?;
        parse::bounded(&tokens)?;
        if dialect == Dialect::Sqlite {
            parse::expandable(&tokens)?;
        }
        let text = text.to_owned();
        let (ordered, limit) = deep(|| {
            let query = single_query(parse::parse_tokens(tokens, dialect)?, &first)?;
            match query.visit(&mut Guard { dialect, allowed }) {
                ControlFlow::Break(rejection) => Err(*rejection),
                ControlFlow::Continue(()) => Ok((ordered(&query), row_limit(&query))),
            }
        })?;
        Ok(Self { text, dialect, ordered, limit, has_tree: true, allowed: allowed.clone() })
    }

    /// The text as written, without a closing semicolon or what follows it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The dialect it was proven in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the outermost query has an ORDER BY.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The outermost row limit, where it is a plain number.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Reads the tree again and hands it to `walk`, on a stack that is deep enough. The tree is not kept, since
    /// dropping a deep one on a small stack would overflow it. `None` for
    /// a query that only its engine reads.
    pub fn with_query<T>(&self, walk: impl FnOnce(Query) -> T) -> Option<T> {
        if !self.has_tree {
            return None;
        }
        deep(|| {
            let tokens = parse::tokens(&self.text, self.dialect).ok()?;
            let mut statements = parse::parse_tokens(tokens, self.dialect).ok()?;
            match statements.pop() {
                Some(Statement::Query(query)) => Some(walk(*query)),
                _ => None,
            }
        })
    }
}

/// The first token of the one statement, and its text without a closing semicolon or what follows it. What is said at its
/// end belongs to it: whoever puts more behind begins a new line.
pub(crate) fn statement<'s>(tokens: &[TokenWithSpan], sql: &'s str) -> Result<(Token, &'s str), SqlRejection> {
    let mut end = None;
    let mut closed = false;
    let mut first = None;
    for token in tokens {
        match &token.token {
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_))
                if first.is_some() && !closed =>
            {
                end = Some(token.span.end)
            }
            other if !matters(other) => {}
            Token::SemiColon => closed = first.is_some(),
            _ if closed => return Err(SqlRejection::NotOneStatement),
            _ => {
                first = first.or_else(|| Some(token.token.clone()));
                end = Some(token.span.end);
            }
        }
    }
    let (Some(first), Some(end)) = (first, end) else { return Err(SqlRejection::Empty) };
    let text = sql[..Offsets::new(sql).at(end)].trim_end();
    Ok((first, text.trim_start_matches(|c: char| c.is_whitespace() || c == ';')))
}

/// Answers from the first word, so that the reason is plain even where the parser does not know the statement.
fn opening(first: &Token) -> Result<(), SqlRejection> {
    const WRITES: &[&str] = &[
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "REPLACE",
        "UPSERT",
        "CREATE",
        "DROP",
        "ALTER",
        "TRUNCATE",
        "COPY",
        "ATTACH",
        "DETACH",
        "VACUUM",
        "REINDEX",
        "ANALYZE",
        "GRANT",
        "REVOKE",
        "IMPORT",
        "EXPORT",
        "INSTALL",
        "LOAD",
        "LOCK",
        "COMMENT",
        "UNLOAD",
        "PUT",
        "REMOVE",
        "CHECKPOINT",
        "REFRESH",
        "RENAME",
        "UNDROP",
        "FORCE",
    ];
    const OTHERS: &[&str] = &[
        "EXPLAIN",
        "PRAGMA",
        "SET",
        "RESET",
        "CALL",
        "SHOW",
        "DESCRIBE",
        "DESC",
        "SUMMARIZE",
        "USE",
        "BEGIN",
        "START",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT",
        "RELEASE",
        "ABORT",
        "END",
        "PREPARE",
        "EXECUTE",
        "DEALLOCATE",
        "DECLARE",
        "FETCH",
        "DO",
        "LISTEN",
        "NOTIFY",
        "GET",
        "LIST",
        "LS",
        "KILL",
        "TABLE",
        "DISCARD",
        "CLUSTER",
        "IF",
        "WHILE",
    ];
    let Token::Word(word) = first else { return Ok(()) };
    let keyword = word.value.to_ascii_uppercase();
    if word.quote_style.is_some() {
        Ok(())
    } else if WRITES.contains(&keyword.as_str()) {
        Err(SqlRejection::Writes { what: keyword })
    } else if OTHERS.contains(&keyword.as_str()) {
        Err(SqlRejection::NotAQuery { what: keyword })
    } else {
        Ok(())
    }
}

fn single_query(statements: Vec<Statement>, first: &Token) -> Result<Query, SqlRejection> {
    let mut statements = statements.into_iter();
    match (statements.next(), statements.next()) {
        (None, _) => Err(SqlRejection::Empty),
        (Some(_), Some(_)) => Err(SqlRejection::NotOneStatement),
        (Some(Statement::Query(query)), None) => Ok(*query),
        (Some(_), None) => Err(SqlRejection::NotAQuery { what: first.to_string() }),
    }
}

pub(crate) fn ordered(query: &Query) -> bool {
    query.order_by.is_some() || matches!(&*query.body, SetExpr::Query(inner) if ordered(inner))
}

pub(crate) fn row_limit(query: &Query) -> Option<u64> {
    let number = |e: &Expr| match e {
        Expr::Value(ValueWithSpan { value: Value::Number(text, _), .. }) => text.parse::<u64>().ok(),
        _ => None,
    };
    let own = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit: Some(limit), .. } | LimitClause::OffsetCommaLimit { limit, .. }) => {
            number(limit)
        }
        _ => None,
    };
    let fetch = match &query.fetch {
        Some(Fetch { with_ties: false, percent: false, quantity }) => quantity.as_ref().map_or(Some(1), number),
        _ => None,
    };
    let inner = match &*query.body {
        SetExpr::Query(inner) => row_limit(inner),
        SetExpr::Select(select) => select.top.as_ref().and_then(|top| match &top.quantity {
            Some(TopQuantity::Constant(n)) if !top.percent && !top.with_ties => Some(*n),
            _ => None,
        }),
        _ => None,
    };
    [own, fetch, inner].into_iter().flatten().min()
}

struct Guard<'a> {
    dialect: Dialect,
    allowed: &'a AllowedFunctions,
}

type Verdict = ControlFlow<Box<SqlRejection>>;

fn refuse(rejection: SqlRejection) -> Verdict {
    ControlFlow::Break(Box::new(rejection))
}

fn not_a_query(what: &str) -> Verdict {
    refuse(SqlRejection::NotAQuery { what: what.to_owned() })
}

fn unclear(what: &str) -> Verdict {
    refuse(SqlRejection::Unclear { what: what.to_owned() })
}

fn writes(what: &str) -> Verdict {
    refuse(SqlRejection::Writes { what: what.to_owned() })
}

impl Guard<'_> {
    fn body(&self, body: &SetExpr) -> Verdict {
        match body {
            SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::Values(_) => ControlFlow::Continue(()),
            SetExpr::SetOperation { left, right, .. } => {
                self.body(left)?;
                self.body(right)
            }
            SetExpr::Insert(_) => writes("INSERT"),
            SetExpr::Update(_) => writes("UPDATE"),
            SetExpr::Delete(_) => writes("DELETE"),
            SetExpr::Merge(_) => writes("MERGE"),
            SetExpr::Table(_) => not_a_query("TABLE"),
        }
    }

    fn function(&self, name: &ObjectName, as_table: bool) -> Verdict {
        let shown = || {
            let name = name.to_string().to_lowercase();
            SqlRejection::Function { instead: instead(&name, self.dialect), name }
        };
        let Some(ident) = last_part(name) else { return refuse(shown()) };
        let known = scalar_allowed(&ident.value, self.dialect) && !as_table
            || as_table && table_allowed(&ident.value, self.dialect)
            || self.allowed.holds(name.0.iter().filter_map(ObjectNamePart::as_ident).map(|part| part.value.as_str()));
        if known { ControlFlow::Continue(()) } else { refuse(shown()) }
    }

    fn table(&self, name: &ObjectName) -> Verdict {
        let Some(last) = last_part(name) else { return refuse(SqlRejection::File { name: name.to_string() }) };
        let lower = last.value.to_ascii_lowercase();
        if lower.starts_with("pragma_") {
            return refuse(SqlRejection::Function { name: lower, instead: "" });
        }
        let address = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|i| i.value.starts_with('@'));
        let quoted = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|i| i.quote_style == Some('\''));
        let parts: Vec<&str> = name.0.iter().filter_map(ObjectNamePart::as_ident).map(|i| i.value.as_str()).collect();
        if address || self.dialect == Dialect::Duckdb && (quoted || may_be_a_file(&parts)) {
            refuse(SqlRejection::File { name: name.to_string().replace('\'', "") })
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// DuckDB opens a file where it finds no table of that name, quoted in any way or split at the dot.
pub(crate) fn may_be_a_file(parts: &[&str]) -> bool {
    const ENDINGS: &[&str] = &[
        "arrow", "arrows", "avro", "bz2", "csv", "db", "duckdb", "feather", "geojson", "gpkg", "gz", "ipc", "json",
        "jsonl", "ndjson", "orc", "parquet", "shp", "sqlite", "tsv", "txt", "vortex", "xls", "xlsx", "zst",
    ];
    let last = parts.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default();
    let ending = last.rsplit_once('.').map(|(_, e)| e).or((parts.len() > 1).then_some(last.as_str()));
    parts.iter().any(|part| part.contains(['/', '\\', '*', '?', ':'])) || ending.is_some_and(|e| ENDINGS.contains(&e))
}

impl Visitor for Guard<'_> {
    type Break = Box<SqlRejection>;

    fn pre_visit_statement(&mut self, _: &Statement) -> Verdict {
        // The walk starts below the root, so that any statement met here stands inside the query.
        writes("a statement inside a query")
    }

    fn pre_visit_query(&mut self, query: &Query) -> Verdict {
        self.body(&query.body)?;
        if !query.locks.is_empty() {
            return writes("FOR UPDATE");
        }
        if query.for_clause.is_some() {
            return not_a_query("FOR XML or FOR JSON");
        }
        if query.settings.is_some() {
            return writes("SETTINGS");
        }
        if query.format_clause.is_some() {
            return not_a_query("FORMAT");
        }
        if !query.pipe_operators.is_empty() {
            return not_a_query("pipe syntax");
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> Verdict {
        if select.into.is_some() {
            return writes("SELECT INTO");
        }
        if select.lateral_views.is_empty() { ControlFlow::Continue(()) } else { not_a_query("LATERAL VIEW") }
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> Verdict {
        match factor {
            TableFactor::Table { name, args: Some(_), .. } | TableFactor::Function { name, .. } => {
                self.function(name, true)
            }
            TableFactor::Table { name, with_hints, .. } => {
                if with_hints.is_empty() {
                    self.table(name)
                } else {
                    not_a_query("a table hint")
                }
            }
            TableFactor::TableFunction { expr: Expr::Function(function), .. } => self.function(&function.name, true),
            TableFactor::Derived { .. }
            | TableFactor::UNNEST { .. }
            | TableFactor::NestedJoin { .. }
            | TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. } => ControlFlow::Continue(()),
            TableFactor::JsonTable { .. } | TableFactor::XmlTable { .. } if self.dialect == Dialect::Postgres => {
                ControlFlow::Continue(())
            }
            _ => unclear("a kind of table expression that is not known here"),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> Verdict {
        match expr {
            Expr::Function(function) => self.function(&function.name, false),
            Expr::BinaryOp { op: BinaryOperator::PGCustomBinaryOperator(_) | BinaryOperator::Custom(_), .. } => {
                unclear("an operator that is not known here")
            }
            Expr::MatchAgainst { .. } | Expr::Prior(_) => not_a_query("this expression"),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> Verdict {
        match &value.value {
            // Snowflake names the columns of VALUES by number.
            Value::Placeholder(_) if self.dialect == Dialect::Snowflake => ControlFlow::Continue(()),
            Value::Placeholder(name) => refuse(SqlRejection::Parameter { name: name.clone() }),
            _ => ControlFlow::Continue(()),
        }
    }
}

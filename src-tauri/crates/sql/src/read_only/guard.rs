//! The proof that a text only reads. It fails closed: unknown syntax is rejected.

use super::descriptive_tables::holds_secrets;
use super::functions::AllowedFunctions;
use super::moments::is_moment;
use super::words::KeywordCalls;
use crate::dialect::DialectExt;
use crate::parse::{SOUNDS_LIKE, SqlRejection, last_part};
use crate::rejection::Instead;
use sqlparser::ast::{
    AccessExpr, ArrayElemTypeDef, BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, ObjectName, ObjectNamePart, Query, Select, SetExpr, Statement, TableFactor, Value,
    ValueWithSpan, Visitor,
};
use sqlparser::tokenizer::Token;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_words::{Worded, join_with_or, tr};

/// Rejects by the first word, so that the reason is clear even if the parser does not know the statement.
pub(super) fn check_first_token(first: &Token, dialect: Dialect) -> Result<(), SqlRejection> {
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
        "HANDLER",
        "FLUSH",
        "OPTIMIZE",
        "REPAIR",
        "PURGE",
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
    } else if keyword == "TABLE" && dialect.sql().has_table_queries() {
        Err(SqlRejection::unclear(|| tr!("TABLE in the place of a query")))
    } else if WRITES.contains(&keyword.as_str()) {
        Err(SqlRejection::writes(keyword))
    } else if OTHERS.contains(&keyword.as_str()) {
        Err(SqlRejection::not_a_query(keyword))
    } else {
        Ok(())
    }
}

/// Returns the only query of a statement list.
pub(super) fn single_query(statements: Vec<Statement>, first: &Token) -> Result<Query, SqlRejection> {
    let mut statements = statements.into_iter();
    match (statements.next(), statements.next()) {
        (None, _) => Err(SqlRejection::Empty),
        (Some(_), Some(_)) => Err(SqlRejection::NotOneStatement),
        (Some(Statement::Query(query)), None) => Ok(*query),
        (Some(_), None) => Err(SqlRejection::not_a_query(first.to_string())),
    }
}

/// Returns the name of a type that is not built in, also if it is the element type of an array.
fn own_type(data_type: &DataType) -> Option<String> {
    match data_type {
        DataType::Custom(name, _) => last_part(name).map(|last| last.value.to_lowercase()),
        DataType::Regclass => Some("regclass".to_owned()),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(of, _)
            | ArrayElemTypeDef::AngleBracket(of)
            | ArrayElemTypeDef::Parenthesis(of),
        ) => own_type(of),
        _ => None,
    }
}

/// Walks a query's tree and stops at the first part that does more than read.
pub(super) struct Guard<'a> {
    pub dialect: Dialect,
    pub allowed: &'a AllowedFunctions,
    pub words: KeywordCalls,
}

type Verdict = ControlFlow<Box<SqlRejection>>;

fn reject_with(rejection: SqlRejection) -> Verdict {
    ControlFlow::Break(Box::new(rejection))
}

fn not_a_query(what: &str) -> Verdict {
    reject_with(SqlRejection::not_a_query(what))
}

fn reject_unclear(say: &dyn Fn() -> String) -> Verdict {
    reject_with(SqlRejection::unclear(say))
}

fn reject_write(what: &str) -> Verdict {
    reject_with(SqlRejection::writes(what))
}

impl Guard<'_> {
    fn check_body(&self, body: &SetExpr) -> Verdict {
        match body {
            SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::Values(_) => ControlFlow::Continue(()),
            SetExpr::SetOperation { left, right, .. } => {
                self.check_body(left)?;
                self.check_body(right)
            }
            SetExpr::Insert(_) => reject_write("INSERT"),
            SetExpr::Update(_) => reject_write("UPDATE"),
            SetExpr::Delete(_) => reject_write("DELETE"),
            SetExpr::Merge(_) => reject_write("MERGE"),
            SetExpr::Table(_) if self.dialect.sql().has_table_queries() => {
                reject_unclear(&|| tr!("TABLE in the place of a query"))
            }
            SetExpr::Table(_) => not_a_query("TABLE"),
        }
    }

    fn check_function(&self, name: &ObjectName, as_table: bool) -> Verdict {
        if last_part(name).is_none() {
            return reject_with(SqlRejection::Function {
                name: name.to_string().to_lowercase(),
                instead: Instead::Nothing,
            });
        }
        let parts: Vec<&str> = name.0.iter().filter_map(ObjectNamePart::as_ident).map(|i| i.value.as_str()).collect();
        match self.allowed.check_call(&parts, as_table, self.dialect) {
            Ok(()) => ControlFlow::Continue(()),
            Err(rejection) => reject_with(rejection),
        }
    }

    /// Checks a field name: PostgreSQL reads `(value).name` as `name(value)` if the value has no such field.
    fn check_field_name(&self, name: &str) -> Verdict {
        if self.dialect.sql().is_called_on_values(&name.to_lowercase()) {
            return reject_with(SqlRejection::called_as_column(name));
        }
        self.check_member_name(name)
    }

    /// Checks a column name: PostgreSQL reads `t.name` as `name(t)` if the row has no such column.
    fn check_member_name(&self, name: &str) -> Verdict {
        if self.allowed.is_called_on_rows(name) {
            return reject_with(SqlRejection::called_as_column(name));
        }
        ControlFlow::Continue(())
    }

    /// Checks the type of a cast. The table of a row, `tableoid::regclass`, is a value of the query.
    fn check_type(&self, data_type: &DataType, of_own_row: bool) -> Verdict {
        let Some(name) = own_type(data_type) else { return ControlFlow::Continue(()) };
        match self.allowed.check_type(&name, self.dialect) {
            Err(SqlRejection::Description { .. }) if of_own_row => ControlFlow::Continue(()),
            Err(rejection) => reject_with(rejection),
            Ok(()) => ControlFlow::Continue(()),
        }
    }

    /// Rejects quoted function names if the engine looks them up among the database's stored functions.
    fn check_unquoted(&self, name: &ObjectName) -> Verdict {
        let mut parts = name.0.iter().filter_map(ObjectNamePart::as_ident);
        if self.dialect.sql().quotes_stored_functions() && parts.any(|part| part.quote_style.is_some()) {
            return reject_unclear(&|| tr!("the name of a function in quotes; write it without them"));
        }
        ControlFlow::Continue(())
    }

    fn check_table(&self, name: &ObjectName) -> Verdict {
        let Some(last) = last_part(name) else { return reject_with(SqlRejection::File { name: name.to_string() }) };
        let lower = last.value.to_ascii_lowercase();
        let parts: Vec<&str> = name.0.iter().filter_map(ObjectNamePart::as_ident).map(|i| i.value.as_str()).collect();
        if self.allowed.is_refused_pragma(&parts, self.dialect) {
            return reject_with(SqlRejection::Function { name: lower, instead: Instead::Nothing });
        }
        let address = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|i| i.value.starts_with('@'));
        let quoted = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|i| i.quote_style == Some('\''));
        if holds_secrets(&parts, self.dialect) && !self.allowed.is_table(&parts) {
            return reject_with(SqlRejection::Secrets { name: parts.join(".").to_lowercase() });
        }
        if address || self.allowed.is_file(&parts, quoted, self.dialect) {
            reject_with(SqlRejection::File { name: name.to_string().replace('\'', "") })
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Returns true if a call is `current_setting` of a setting that contains nothing confidential.
fn reads_a_harmless_setting(call: &Function, dialect: Dialect) -> bool {
    let is_named = match call.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.eq_ignore_ascii_case("current_setting"),
        _ => false,
    };
    let FunctionArguments::List(list) = &call.args else { return false };
    let is_literal = |argument: &FunctionArg| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(ValueWithSpan {
            value: Value::SingleQuotedString(name),
            ..
        }))) => dialect.sql().is_harmless_setting(name),
        _ => false,
    };
    is_named && list.args.len() == 1 && list.args.iter().all(is_literal)
}

fn is_one_name(list: &[Expr]) -> bool {
    let [expr] = list else { return false };
    match expr {
        Expr::Nested(inner) => is_one_name(std::slice::from_ref(inner)),
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        _ => false,
    }
}

fn is_own_table_number(expr: &Expr) -> bool {
    let last = match expr {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    };
    last.is_some_and(|name| name.value.eq_ignore_ascii_case("tableoid"))
}

fn is_next(name: &Ident) -> bool {
    name.value.eq_ignore_ascii_case("nextval")
}

fn is_column_number(name: &str) -> bool {
    name.strip_prefix('$').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_variable(name: &Ident) -> bool {
    name.quote_style.is_none() && name.value.starts_with('@')
}

impl Visitor for Guard<'_> {
    type Break = Box<SqlRejection>;

    fn pre_visit_statement(&mut self, _: &Statement) -> Verdict {
        // The walk starts below the root, so any statement found here is nested in the query.
        reject_with(SqlRejection::Writes { what: Worded::new(|| tr!("a statement inside a query")) })
    }

    fn pre_visit_query(&mut self, query: &Query) -> Verdict {
        self.check_body(&query.body)?;
        if !query.locks.is_empty() {
            return reject_write("FOR UPDATE");
        }
        if query.for_clause.is_some() {
            return reject_with(SqlRejection::NotAQuery {
                what: Worded::new(|| join_with_or(&["FOR XML".to_owned(), "FOR JSON".to_owned()])),
            });
        }
        if query.settings.is_some() {
            return reject_write("SETTINGS");
        }
        if query.format_clause.is_some() {
            return not_a_query("FORMAT");
        }
        if !query.pipe_operators.is_empty() {
            return reject_with(SqlRejection::NotAQuery { what: Worded::new(|| tr!("pipe syntax")) });
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> Verdict {
        if select.into.is_some() {
            return reject_write("SELECT INTO");
        }
        if self.dialect.sql().has_array_join() {
            self.words.in_select(select);
        }
        if select.lateral_views.is_empty() { ControlFlow::Continue(()) } else { not_a_query("LATERAL VIEW") }
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> Verdict {
        self.words.in_table(factor, self.dialect);
        if let TableFactor::Function { alias: Some(alias), .. } | TableFactor::Table { alias: Some(alias), .. } = factor
        {
            let mut types = alias.columns.iter().filter_map(|column| column.data_type.as_ref());
            types.try_for_each(|data_type| self.check_type(data_type, false))?;
        }
        match factor {
            TableFactor::Table { name, args: Some(_), .. } | TableFactor::Function { name, .. } => {
                self.check_function(name, !self.words.has_members(factor))
            }
            TableFactor::Table { version: Some(version), .. }
                if self.dialect.sql().reads_history_at_timestamps() && !is_moment(version) =>
            {
                reject_unclear(&|| {
                    tr!("FOR SYSTEM_TIME with something other than moments; write AS OF TIMESTAMP '2024-01-31'")
                })
            }
            TableFactor::Table { name, with_hints, .. } => {
                if with_hints.is_empty() {
                    self.check_table(name)
                } else {
                    reject_with(SqlRejection::NotAQuery { what: Worded::new(|| tr!("a table hint")) })
                }
            }
            TableFactor::TableFunction { expr: Expr::Function(function), .. } => {
                self.check_function(&function.name, true)
            }
            TableFactor::Derived { .. }
            | TableFactor::UNNEST { .. }
            | TableFactor::NestedJoin { .. }
            | TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. } => ControlFlow::Continue(()),
            _ if self.dialect.sql().allows_table_expression(factor) => ControlFlow::Continue(()),
            _ => reject_unclear(&|| tr!("a kind of table expression that is not known here")),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> Verdict {
        self.words.in_expr(expr, self.dialect);
        match expr {
            Expr::Function(function) if self.words.contains_call(function, self.dialect) => ControlFlow::Continue(()),
            Expr::Function(function) if reads_a_harmless_setting(function, self.dialect) => ControlFlow::Continue(()),
            Expr::Function(function) => {
                self.check_unquoted(&function.name)?;
                self.check_function(&function.name, false)
            }
            // The FROM clauses do not contain this table.
            Expr::InList { list, .. } if self.dialect.sql().reads_name_after_in_as_table() && is_one_name(list) => {
                reject_unclear(&|| tr!("IN with a single name; write = for a column, or IN (SELECT column FROM table)"))
            }
            Expr::MatchAgainst { .. } if self.dialect.sql().has_match_against() => ControlFlow::Continue(()),
            Expr::Cast { expr, data_type, .. } => self.check_type(data_type, is_own_table_number(expr)),
            Expr::TypedString(text) => self.check_type(&text.data_type, false),
            Expr::CompoundIdentifier(parts)
                if self.dialect.sql().reads_sequences_as_columns() && parts.last().is_some_and(is_next) =>
            {
                reject_write("NEXTVAL")
            }
            Expr::Identifier(name) if self.dialect.sql().reads_variables_as_columns() && is_variable(name) => {
                reject_with(SqlRejection::Parameter { name: name.value.clone() })
            }
            Expr::CompoundIdentifier(parts)
                if self.dialect.sql().reads_variables_as_columns() && parts.iter().any(is_variable) =>
            {
                reject_with(SqlRejection::Parameter { name: expr.to_string() })
            }
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [_, .., last] => self.check_member_name(&last.value),
                _ => ControlFlow::Continue(()),
            },
            Expr::CompoundFieldAccess { access_chain, .. } => access_chain.iter().try_for_each(|access| match access {
                AccessExpr::Dot(Expr::Identifier(name)) => self.check_field_name(&name.value),
                _ => ControlFlow::Continue(()),
            }),
            Expr::BinaryOp { op: BinaryOperator::Custom(operator), .. }
                if self.dialect.sql().has_sounds_like() && operator == SOUNDS_LIKE =>
            {
                ControlFlow::Continue(())
            }
            Expr::BinaryOp { op: BinaryOperator::PGCustomBinaryOperator(_) | BinaryOperator::Custom(_), .. } => {
                reject_unclear(&|| tr!("an operator that is not known here"))
            }
            Expr::MatchAgainst { .. } | Expr::Prior(_) => {
                reject_with(SqlRejection::NotAQuery { what: Worded::new(|| tr!("this expression")) })
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> Verdict {
        match &value.value {
            Value::Placeholder(name) if self.dialect.sql().numbers_columns_of_values() && is_column_number(name) => {
                ControlFlow::Continue(())
            }
            Value::Placeholder(name) => reject_with(SqlRejection::Parameter { name: name.clone() }),
            _ => ControlFlow::Continue(()),
        }
    }
}

//! Resolves the names in expressions, and the base columns from which the expressions are computed.

use super::scope::{NameContext, Source, Walk, merge_distinct};
use super::summary::is_count;
use super::ties::is_computed;
use crate::dialect::DialectExt;
use crate::parse::last_part;
use crate::read_only::is_aggregate;
use sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, JsonPathElem, LambdaFunction, LambdaSyntax, ObjectName, Query, SelectItem, SetExpr,
    Subscript, Value, WindowType,
};

impl<'a> Walk<'a> {
    /// Walks an expression and returns the base columns of its value.
    pub(super) fn walk_expr(&mut self, expr: &Expr) -> Vec<Source> {
        let mut sources = Vec::new();
        self.collect_expr_sources(expr, &mut sources);
        sources
    }

    fn walk_exprs<'q>(&mut self, exprs: impl IntoIterator<Item = &'q Expr>, out: &mut Vec<Source>) {
        for e in exprs {
            self.collect_expr_sources(e, out);
        }
    }

    fn walk_subquery(&mut self, query: &Query, out: &mut Vec<Source>) {
        let outside = std::mem::take(&mut self.conditions);
        let in_condition = std::mem::take(&mut self.in_condition);
        let rows = self.walk_query(query);
        self.in_condition = in_condition;
        merge_distinct(out, &rows.all_sources());
        let inside = std::mem::replace(&mut self.conditions, outside);
        self.pass_conditions(&inside, out);
    }

    /// Walks one side of a comparison. A double-quoted name may have been intended as a string.
    fn walk_comparison_side(&mut self, side: &Expr, other: Option<&Expr>, out: &mut Vec<Source>) {
        let compared = other.is_none_or(|o| !matches!(o, Expr::Value(_)));
        match side {
            Expr::Identifier(ident) => {
                let sources = self.resolve_name(
                    ident,
                    NameContext { text_possible: compared, against: other, ..NameContext::default() },
                );
                merge_distinct(out, &sources);
            }
            Expr::Nested(inner) => self.walk_comparison_side(inner, other, out),
            _ => self.collect_expr_sources(side, out),
        }
    }

    fn collect_expr_sources(&mut self, expr: &Expr, out: &mut Vec<Source>) {
        match expr {
            Expr::Identifier(ident) => {
                let sources = self.resolve_name(ident, NameContext::default());
                merge_distinct(out, &sources);
            }
            Expr::CompoundIdentifier(parts) => {
                let sources = self.resolve_path(parts);
                merge_distinct(out, &sources);
            }
            Expr::CompoundFieldAccess { root, access_chain } => self.walk_field_access(root, access_chain, out),
            Expr::JsonAccess { value, path } => {
                self.collect_expr_sources(value, out);
                for element in &path.path {
                    if let JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } = element {
                        self.collect_expr_sources(key, out);
                    }
                }
            }
            Expr::IsFalse(e)
            | Expr::IsNotFalse(e)
            | Expr::IsTrue(e)
            | Expr::IsNotTrue(e)
            | Expr::IsUnknown(e)
            | Expr::IsNotUnknown(e)
            | Expr::Nested(e)
            | Expr::OuterJoin(e)
            | Expr::Prior(e) => self.collect_expr_sources(e, out),
            // Every egress level reveals which cells are NULL, so the column is not a source of the value.
            Expr::IsNull(e) | Expr::IsNotNull(e)
                if self.follows_values() && matches!(**e, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) =>
            {
                let sources = self.walk_expr(e);
                if is_computed(&sources) {
                    merge_distinct(out, &sources);
                }
            }
            Expr::IsNull(e) | Expr::IsNotNull(e) => self.collect_expr_sources(e, out),
            Expr::IsJson { expr, .. }
            | Expr::IsNormalized { expr, .. }
            | Expr::UnaryOp { expr, .. }
            | Expr::Cast { expr, .. }
            | Expr::Extract { expr, .. }
            | Expr::Ceil { expr, .. }
            | Expr::Floor { expr, .. }
            | Expr::Collate { expr, .. }
            | Expr::Named { expr, .. }
            | Expr::Prefixed { value: expr, .. } => self.collect_expr_sources(expr, out),
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.walk_comparison_side(left, Some(right), out);
                self.walk_comparison_side(right, Some(left), out);
            }
            Expr::InList { expr, list, .. } => {
                self.collect_expr_sources(expr, out);
                for item in list {
                    self.walk_comparison_side(item, Some(expr), out);
                }
            }
            Expr::InSubquery { expr, subquery, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_subquery(subquery, out);
            }
            Expr::InUnnest { expr, array_expr, .. } => self.walk_exprs([&**expr, &**array_expr], out),
            Expr::Between { expr, low, high, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_comparison_side(low, Some(expr), out);
                self.walk_comparison_side(high, Some(expr), out);
            }
            Expr::BinaryOp { left, op, right } => self.walk_binary(left, op, right, out),
            Expr::Like { expr, pattern, escape_char, .. }
            | Expr::ILike { expr, pattern, escape_char, .. }
            | Expr::SimilarTo { expr, pattern, escape_char, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_comparison_side(pattern, Some(expr), out);
                self.walk_exprs(escape_char.as_deref(), out);
            }
            Expr::RLike { expr, pattern, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_comparison_side(pattern, Some(expr), out);
            }
            Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => {
                self.walk_exprs([&**left, &**right], out)
            }
            Expr::Convert { expr, styles, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_exprs(styles, out);
            }
            Expr::AtTimeZone { timestamp, time_zone } => self.walk_exprs([&**timestamp, &**time_zone], out),
            Expr::Position { expr, r#in } => self.walk_exprs([&**expr, &**r#in], out),
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                self.collect_expr_sources(expr, out);
                self.walk_exprs(substring_from.as_deref(), out);
                self.walk_exprs(substring_for.as_deref(), out);
            }
            Expr::Trim { trim_what, expr, trim_characters, .. } => {
                self.walk_exprs(trim_what.as_deref(), out);
                self.collect_expr_sources(expr, out);
                self.walk_exprs(trim_characters.iter().flatten(), out);
            }
            Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                self.walk_exprs([&**expr, &**overlay_what, &**overlay_from], out);
                self.walk_exprs(overlay_for.as_deref(), out);
            }
            Expr::Function(function) => self.walk_function(function, out),
            Expr::Case { operand, conditions, else_result, .. } => {
                self.walk_exprs(operand.as_deref(), out);
                for when in conditions {
                    match operand {
                        Some(operand) => self.walk_comparison_side(&when.condition, Some(operand), out),
                        None => self.collect_expr_sources(&when.condition, out),
                    }
                    self.walk_comparison_side(&when.result, None, out);
                }
                if let Some(e) = else_result {
                    self.walk_comparison_side(e, None, out);
                }
            }
            Expr::Exists { subquery, .. } => {
                let outside = std::mem::take(&mut self.conditions);
                let in_condition = std::mem::take(&mut self.in_condition);
                self.only_exists = true;
                let rows = self.walk_query(subquery);
                self.only_exists = false;
                self.in_condition = in_condition;
                merge_distinct(out, &rows.row_sources);
                let inside = std::mem::replace(&mut self.conditions, outside);
                self.pass_conditions(&inside, out);
            }
            Expr::Subquery(query) => self.walk_subquery(query, out),
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                self.walk_exprs(sets.iter().flatten(), out)
            }
            Expr::Tuple(items) => self.walk_exprs(items, out),
            Expr::Struct { values, .. } => self.walk_exprs(values, out),
            Expr::Dictionary(fields) => self.walk_exprs(fields.iter().map(|f| &*f.value), out),
            Expr::Map(map) => self.walk_exprs(map.entries.iter().flat_map(|e| [&*e.key, &*e.value]), out),
            Expr::Array(array) => self.walk_exprs(&array.elem, out),
            Expr::Interval(interval) => self.collect_expr_sources(&interval.value, out),
            Expr::Lambda(lambda) => self.walk_lambda(lambda, out),
            Expr::MemberOf(member) => self.walk_exprs([&*member.value, &*member.array], out),
            Expr::QualifiedWildcard(name, _) => self.whole_row(name, out),
            Expr::Wildcard(_) if self.follows_values() => self.any_column(out),
            Expr::MatchAgainst { columns, .. } if self.follows_values() => {
                for column in columns {
                    let path: Vec<Ident> = column.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
                    let sources = self.resolve_silently(&path);
                    merge_distinct(out, &sources);
                }
            }
            // Snowflake's columns by position.
            Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => self.any_column(out),
            Expr::Value(_) | Expr::TypedString(_) | Expr::MatchAgainst { .. } | Expr::Wildcard(_) => {}
        }
    }

    fn walk_binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr, out: &mut Vec<Source>) {
        use BinaryOperator as B;
        match op {
            // Full-text search names the table itself.
            B::Match if self.search_sources(left).is_some() => self.collect_expr_sources(right, out),
            B::Eq
            | B::NotEq
            | B::Lt
            | B::LtEq
            | B::Gt
            | B::GtEq
            | B::Spaceship
            | B::StringConcat
            | B::Glob
            | B::Match
            | B::Regexp => {
                self.walk_comparison_side(left, Some(right), out);
                self.walk_comparison_side(right, Some(left), out);
            }
            _ => {
                self.collect_expr_sources(left, out);
                self.collect_expr_sources(right, out);
            }
        }
    }

    /// Walks `a.b[1].c`: the leading names are one path, the rest are fields and subscripts of its value.
    fn walk_field_access(&mut self, root: &Expr, chain: &[AccessExpr], out: &mut Vec<Source>) {
        let mut path: Vec<Ident> = match root {
            Expr::Identifier(ident) => vec![ident.clone()],
            Expr::CompoundIdentifier(parts) => parts.clone(),
            _ => Vec::new(),
        };
        let mut rest = chain;
        if path.is_empty() {
            self.collect_expr_sources(root, out);
        } else {
            while let [AccessExpr::Dot(Expr::Identifier(ident)), tail @ ..] = rest {
                path.push(ident.clone());
                rest = tail;
            }
            let sources = match path.as_slice() {
                [one] => self.resolve_name(one, NameContext::default()),
                parts => self.resolve_path(parts),
            };
            merge_distinct(out, &sources);
        }
        for access in rest {
            match access {
                AccessExpr::Dot(Expr::Identifier(_)) => {}
                AccessExpr::Dot(e) | AccessExpr::Subscript(Subscript::Index { index: e }) => {
                    self.collect_expr_sources(e, out)
                }
                AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride }) => {
                    self.walk_exprs(lower_bound.iter().chain(upper_bound).chain(stride), out);
                }
            }
        }
    }

    fn walk_lambda(&mut self, lambda: &LambdaFunction, out: &mut Vec<Source>) {
        let names: Vec<&Ident> = lambda.params.iter().map(|p| &p.name).collect();
        // `data -> lower('$.key')` reads JSON, though it looks like a lambda. While values are followed, a parameter with the
        // name of a column is taken for the column, because both forms have the same text.
        if let ([name], LambdaSyntax::Arrow) = (names.as_slice(), &lambda.syntax)
            && (self.follows_values() || starts_with_value(&lambda.body))
        {
            let sources = self.resolve_silently(std::slice::from_ref(name));
            merge_distinct(out, &sources);
        }
        let count = names.len();
        if let Some(scope) = self.current_scope() {
            scope.locals.extend(names.iter().map(|n| n.value.clone()));
        }
        self.collect_expr_sources(&lambda.body, out);
        if let Some(scope) = self.current_scope() {
            let keep = scope.locals.len().saturating_sub(count);
            scope.locals.truncate(keep);
        }
    }

    fn walk_function(&mut self, function: &Function, out: &mut Vec<Source>) {
        let name = last_part(&function.name).map(|i| i.value.to_lowercase()).unwrap_or_default();
        let idents: Vec<Ident> = function.name.0.iter().filter_map(|p| p.as_ident().cloned()).collect();
        if self.dialect.sql().has_method_calls()
            && let [path @ .., _] = idents.as_slice()
            && !path.is_empty()
        {
            let sources = self.resolve_silently(path);
            merge_distinct(out, &sources);
        }
        if let Some(sources) = self.search_call_sources(function, &name) {
            merge_distinct(out, &sources);
            return;
        }
        if name == "columns" && self.dialect.sql().column_functions().contains(&"columns") {
            self.any_column(out);
        }
        let mut hidden = Vec::new();
        let of_arguments = if self.hides_arguments(function, &name) { &mut hidden } else { &mut *out };
        self.function_arguments(&function.parameters, &name, of_arguments);
        self.function_arguments(&function.args, &name, of_arguments);
        if is_computed(&hidden) {
            merge_distinct(out, &hidden);
        }
        if function.over.is_some() || is_aggregate(&name) {
            self.add_row_mark(out);
        }
        for key in &function.within_group {
            self.collect_expr_sources(&key.expr, out);
        }
        self.walk_exprs(function.filter.as_deref(), out);
        if let Some(WindowType::WindowSpec(spec)) = &function.over {
            let sources = self.walk_window(spec);
            merge_distinct(out, &sources);
        }
    }

    /// Resolves `t.*` as one value.
    fn whole_row(&mut self, name: &ObjectName, out: &mut Vec<Source>) {
        let rows = self.expand_qualified_star(name);
        if let Some(rows) = rows.filter(|_| self.follows_values()) {
            rows.cols.iter().for_each(|col| merge_distinct(out, &col.sources));
            merge_distinct(out, &rows.unlisted);
        }
    }

    /// Resolves `COLUMNS('^e')`, which may match any columns of its FROM clause.
    fn any_column(&mut self, out: &mut Vec<Source>) {
        let mut all = Vec::new();
        for rows in self.scopes.last().into_iter().flat_map(|scope| &scope.rels).map(|rel| &rel.rows) {
            rows.cols.iter().for_each(|col| merge_distinct(&mut all, &col.sources));
            merge_distinct(&mut all, &rows.unlisted);
        }
        self.mark_used(&all);
        merge_distinct(out, &all);
    }

    fn function_arguments(&mut self, arguments: &FunctionArguments, name: &str, out: &mut Vec<Source>) {
        match arguments {
            FunctionArguments::None => {}
            FunctionArguments::Subquery(query) => {
                let only_exists = matches!(&*query.body, SetExpr::Select(s) if matches!(s.projection.as_slice(), [SelectItem::Wildcard(_)]));
                self.only_exists = name == "exists" && only_exists;
                self.walk_subquery(query, out);
                self.only_exists = false;
            }
            FunctionArguments::List(list) => {
                for arg in &list.args {
                    let (FunctionArg::Unnamed(value)
                    | FunctionArg::Named { arg: value, .. }
                    | FunctionArg::ExprNamed { arg: value, .. }) = arg;
                    match value {
                        FunctionArgExpr::Expr(Expr::Identifier(ident)) => {
                            let dates = ["date", "time", "trunc", "age", "week"].iter().any(|part| name.contains(part));
                            let place = NameContext {
                                text_possible: !is_aggregate(name),
                                date_part: dates,
                                ..NameContext::default()
                            };
                            let sources = self.resolve_name(ident, place);
                            merge_distinct(out, &sources);
                        }
                        FunctionArgExpr::Expr(e) => self.collect_expr_sources(e, out),
                        FunctionArgExpr::QualifiedWildcard(name) => self.whole_row(name, out),
                        FunctionArgExpr::Wildcard | FunctionArgExpr::WildcardWithOptions(_)
                            if self.follows_values() && !is_count(name) =>
                        {
                            self.any_column(out);
                        }
                        FunctionArgExpr::Wildcard | FunctionArgExpr::WildcardWithOptions(_) => {}
                    }
                }
                for clause in &list.clauses {
                    match clause {
                        FunctionArgumentClause::Where(e) | FunctionArgumentClause::Limit(e) => {
                            self.collect_expr_sources(e, out)
                        }
                        FunctionArgumentClause::OrderBy(keys) => {
                            for key in keys {
                                let sources = self.walk_order_key(&key.expr);
                                merge_distinct(out, &sources);
                            }
                        }
                        FunctionArgumentClause::Having(bound) => self.collect_expr_sources(&bound.1, out),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Walks an argument of a table function.
    pub(super) fn walk_argument(&mut self, arg: &FunctionArg) -> Vec<Source> {
        let (FunctionArg::Unnamed(value)
        | FunctionArg::Named { arg: value, .. }
        | FunctionArg::ExprNamed { arg: value, .. }) = arg;
        if let FunctionArgExpr::Expr(e) = value { self.walk_expr(e) } else { Vec::new() }
    }
}

/// Returns true if the leftmost part of an expression is a constant.
fn starts_with_value(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => !matches!(value.value, Value::Null),
        Expr::BinaryOp { left, .. } => starts_with_value(left),
        Expr::Cast { expr, .. }
        | Expr::IsNull(expr)
        | Expr::IsNotNull(expr)
        | Expr::InList { expr, .. }
        | Expr::Like { expr, .. } => starts_with_value(expr),
        _ => false,
    }
}

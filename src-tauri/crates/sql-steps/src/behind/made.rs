//! Determines from a step's query how its rows are made: each from one row of every source, or each from all rows that
//! share certain values.

use super::rows::{Arm, CellRows, Made, ROW, Source, input_column, key_column};
use crate::names::same_name;
use crate::steps::{SetKind, Step, StepKind};
use sqlparser::ast::{
    Distinct, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, ObjectName, Query,
    Select, SelectItem, SetExpr, TableAlias, TableFactor, TableWithJoins, Value,
};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::ast::{build_identifier, collect_aggregate_names, last_part};
use vitrine_sql::quote_identifier;

/// The numbered query, its sources, and how its rows are made.
type NumberedParts = (String, Vec<Source>, Made);

/// Resolves the names in a step's query.
pub(super) struct RowNumberer<'a> {
    pub dialect: Dialect,
    pub steps: &'a [Step],
    pub catalog: &'a Catalog,
}

impl RowNumberer<'_> {
    /// Numbers the rows of a step; `None` if its rows cannot be traced.
    pub fn number_rows(&self, step: &Step, query: &Query) -> Option<NumberedParts> {
        match query.body.as_ref() {
            SetExpr::Select(select) if select.distinct.is_some() => {
                let arm = self.build_arm(select, &step.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>())?;
                matches!(select.distinct, Some(Distinct::Distinct)).then_some(())?;
                Some((self.wrap_with_number(step), vec![arm.source.clone()], Made::Groups(vec![arm])))
            }
            SetExpr::Select(select) => match &step.kind {
                StepKind::Group { .. } => self.number_groups(query, select),
                _ if !is_grouped(select) => self.number_input_rows(step, query, select),
                _ => None,
            },
            SetExpr::SetOperation { left, right, .. } => {
                let names: Vec<String> = step.columns.iter().map(|column| column.name.clone()).collect();
                let mut arms = vec![self.build_arm(of_select(left)?, &names)?];
                if !matches!(step.kind, StepKind::SetOperation { operation: SetKind::Except, .. }) {
                    arms.push(self.build_arm(of_select(right)?, &names)?);
                }
                Some((
                    self.wrap_with_number(step),
                    arms.iter().map(|arm| arm.source.clone()).collect(),
                    Made::Groups(arms),
                ))
            }
            _ => None,
        }
    }

    /// Wraps a step to add a number to each row.
    pub fn wrap_with_number(&self, step: &Step) -> String {
        let columns: Vec<String> =
            step.columns.iter().map(|column| quote_identifier(&column.name, self.dialect)).collect();
        let own = quote_identifier(&step.name, self.dialect);
        format!("SELECT {}, ROW_NUMBER() OVER () AS {ROW}\nFROM {own}", columns.join(", "))
    }

    fn number_input_rows(&self, step: &Step, query: &Query, select: &Select) -> Option<NumberedParts> {
        let mut select = select.clone();
        let sources = self.number_from(&mut select.from)?;
        if select.projection.len() != step.columns.len() || sources.is_empty() {
            return None;
        }
        let mut carried = Vec::new();
        for (column, item) in step.columns.iter().zip(&select.projection) {
            let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
            let (of, own) = match expr {
                Expr::Identifier(name) if sources.len() == 1 => (sources.first(), name),
                Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                    [.., of, name] => (sources.iter().find(|(known_as, _)| same_name(known_as, &of.value)), name),
                    _ => continue,
                },
                _ => continue,
            };
            if let Some((_, source)) = of {
                carried.push((column.name.clone(), source.clone(), own.value.clone()));
            }
        }
        for (at, (known_as, _)) in sources.iter().enumerate() {
            let number = Expr::CompoundIdentifier(vec![
                build_identifier(known_as, self.dialect),
                build_identifier(ROW, self.dialect),
            ]);
            select.projection.push(aliased_item(number, &input_column(at)));
        }
        let sources = sources.into_iter().map(|(_, source)| source).collect();
        Some((with_number(query, select), sources, Made::Rows(carried)))
    }

    fn number_groups(&self, query: &Query, select: &Select) -> Option<NumberedParts> {
        let GroupByExpr::Expressions(keys, modifiers) = &select.group_by else { return None };
        if !modifiers.is_empty() || select.having.is_some() {
            return None;
        }
        let mut numbered = select.clone();
        let sources = self.number_from(&mut numbered.from)?;
        let [(_, source)] = sources.as_slice() else { return None };
        let keys: Vec<Expr> = keys.iter().map(|key| resolve_group_key(key, select)).collect::<Option<_>>()?;
        let mut cells = Vec::new();
        for item in &select.projection {
            let (name, expr) = match item {
                SelectItem::ExprWithAlias { expr, alias } => (alias.value.clone(), expr),
                SelectItem::UnnamedExpr(expr) => (expr.to_string(), expr),
                _ => return None,
            };
            if let Expr::Function(function) = expr
                && let Some(rows) = cell_rows(function)
            {
                cells.push((name, rows));
            }
        }
        for (at, value) in keys.iter().enumerate() {
            numbered.projection.push(aliased_item(value.clone(), &key_column(at)));
        }
        let arm = Arm {
            source: source.clone(),
            from: from_clause_text(&numbered.from),
            condition: select.selection.as_ref().map(ToString::to_string),
            keys: keys.iter().enumerate().map(|(at, value)| (key_column(at), value.to_string())).collect(),
            cells,
        };
        Some((with_number(query, numbered), vec![source.clone()], Made::Groups(vec![arm])))
    }

    /// Returns a part of a step whose rows are identified by their values.
    fn build_arm(&self, select: &Select, columns: &[String]) -> Option<Arm> {
        let mut from = select.from.clone();
        let sources = self.number_from(&mut from)?;
        let [(_, source)] = sources.as_slice() else { return None };
        if is_grouped(select) || select.projection.len() != columns.len() {
            return None;
        }
        let value = |(item, column): (&SelectItem, &String)| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                Some((quote_identifier(column, self.dialect), expr.to_string()))
            }
            _ => None,
        };
        Some(Arm {
            source: source.clone(),
            from: from_clause_text(&from),
            condition: select.selection.as_ref().map(ToString::to_string),
            keys: select.projection.iter().zip(columns).map(value).collect::<Option<_>>()?,
            cells: Vec::new(),
        })
    }

    /// Replaces every source in FROM by its numbered rows; returns names and sources.
    fn number_from(&self, from: &mut [TableWithJoins]) -> Option<Vec<(String, Source)>> {
        let mut sources = Vec::new();
        for item in from {
            let joined = item.joins.iter_mut().map(|join| &mut join.relation);
            for factor in std::iter::once(&mut item.relation).chain(joined) {
                let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
                let own = last_part(name)?.value.clone();
                let source = self.source(name)?;
                let known_as = alias.as_ref().map_or(own, |alias| alias.name.value.clone());
                let renamed = build_identifier(&known_as, self.dialect);
                match alias {
                    Some(alias) if !alias.columns.is_empty() => return None,
                    Some(_) => {}
                    None => *alias = Some(TableAlias { explicit: true, name: renamed, columns: Vec::new(), at: None }),
                }
                *name = ObjectName::from(vec![build_identifier(&source.rows_view(), self.dialect)]);
                sources.push((known_as, source));
            }
        }
        Some(sources)
    }

    fn source(&self, name: &ObjectName) -> Option<Source> {
        let own = &last_part(name)?.value;
        if name.0.len() == 1 && self.steps.iter().any(|step| same_name(&step.name, own)) {
            return Some(Source::from_step(own));
        }
        let text: Vec<&str> = name.0.iter().filter_map(|part| Some(part.as_ident()?.value.as_str())).collect();
        let table = self.catalog.find_table(&text.join("."))?;
        Some(Source { name: table.name.to_string(), is_table: true })
    }
}

fn of_select(body: &SetExpr) -> Option<&Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

fn is_grouped(select: &Select) -> bool {
    let has_keys = !matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
    has_keys || select.having.is_some() || !collect_aggregate_names(&select.projection).is_empty()
}

fn from_clause_text(from: &[TableWithJoins]) -> String {
    from.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn aliased_item(expr: Expr, name: &str) -> SelectItem {
    SelectItem::ExprWithAlias { expr, alias: Ident::new(name) }
}

fn with_number(query: &Query, mut select: Select) -> String {
    select
        .projection
        .push(SelectItem::UnnamedExpr(Expr::Identifier(Ident::new(format!("ROW_NUMBER() OVER () AS {ROW}")))));
    Query { body: Box::new(SetExpr::Select(Box::new(select))), ..query.clone() }.to_string()
}

/// Returns the expression of a GROUP BY key: the key, or the result column that it refers to by position or name.
fn resolve_group_key(key: &Expr, select: &Select) -> Option<Expr> {
    let by_place = match key {
        Expr::Value(value) => match &value.value {
            Value::Number(place, _) => Some(select.projection.get(place.to_string().parse::<usize>().ok()?.checked_sub(1)?)?),
            _ => None,
        },
        Expr::Identifier(name) => select.projection.iter().find(|item| {
            matches!(item, SelectItem::ExprWithAlias { alias, expr } if same_name(&alias.value, &name.value) && !matches!(expr, Expr::Identifier(_)))
        }),
        _ => None,
    };
    match by_place {
        None => Some(key.clone()),
        Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) => Some(expr.clone()),
        Some(_) => None,
    }
}

/// Returns the rows of a group that an aggregate uses; `None` for all of them.
fn cell_rows(function: &Function) -> Option<CellRows> {
    let name = last_part(&function.name)?.value.to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    let filter = function.filter.as_ref().map(|filter| format!("({filter})"));
    let argument = match list.args.first() {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => expr.to_string(),
        _ => return filter.map(CellRows::Where),
    };
    let own = match name.as_str() {
        "min" | "max" if filter.is_none() => return Some(CellRows::Equal(argument)),
        // Rows that add nothing are excluded from a sum.
        "sum" | "total" => format!("({argument}) <> 0"),
        _ => format!("({argument}) IS NOT NULL"),
    };
    Some(CellRows::Where(filter.into_iter().chain([own]).collect::<Vec<_>>().join(" AND ")))
}

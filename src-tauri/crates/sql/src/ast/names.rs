//! Names that a part of a query uses.

use crate::ast::{is_column, visit_tree};
use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, SelectItem, Visit, Visitor};
use std::ops::ControlFlow;

/// Returns true if a select item expands to all columns.
pub fn is_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// Collects the column references in a part of a query, unchanged.
pub fn collect_columns(part: &impl Visit) -> Vec<Expr> {
    struct Columns(Vec<Expr>);
    impl Visitor for Columns {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if is_column(expr) {
                self.0.push(expr.clone());
            }
            ControlFlow::Continue(())
        }
    }
    let mut columns = Columns(Vec::new());
    let _ = visit_tree(part, &mut columns);
    columns.0
}

/// Columns that a part of a query references.
#[derive(Default)]
pub struct ColumnReferences {
    /// Qualified columns: the qualifier and the column name.
    pub columns: Vec<(Ident, String)>,
    /// Names of columns without a qualifier.
    pub bare: Vec<String>,
    /// True if `COUNT(*)` depends on the rows themselves.
    pub whole_rows: bool,
}

impl Visitor for ColumnReferences {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) => self.bare.push(name.value.clone()),
            Expr::CompoundIdentifier(parts) => {
                if let [.., qualifier, column] = parts.as_slice() {
                    self.columns.push((qualifier.clone(), column.value.clone()));
                }
            }
            Expr::Function(function) => {
                if let FunctionArguments::List(list) = &function.args {
                    self.whole_rows |=
                        list.args.iter().any(|a| matches!(a, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

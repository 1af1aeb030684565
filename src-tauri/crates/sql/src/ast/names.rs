//! Names that a part of a query uses.

use crate::ast::{is_column, visit_tree};
use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, SelectItem, Visit, Visitor};
use std::ops::ControlFlow;

/// Whether a select item stands for all columns.
pub fn is_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// The columns in a part of a query, as they are written.
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

/// The columns that a part of a query names.
#[derive(Default)]
pub struct ColumnReferences {
    /// Qualified columns.
    pub columns: Vec<(Ident, String)>,
    /// Unqualified columns.
    pub bare: Vec<String>,
    /// Whether `COUNT(*)` uses the rows themselves.
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

//! Names that a part of a query uses.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, SelectItem, Visitor};
use std::ops::ControlFlow;

/// Whether a select item stands for all columns.
pub fn is_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// The columns that a part of a query names.
#[derive(Default)]
pub struct Names {
    /// Qualified columns.
    pub columns: Vec<(Ident, String)>,
    /// Unqualified columns.
    pub bare: Vec<String>,
    /// Whether `COUNT(*)` uses the rows themselves.
    pub whole_rows: bool,
}

impl Visitor for Names {
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

//! List members that a query accesses at a fixed position: `items[0].price`, `items[OFFSET(0)].price`,
//! `element_at(items, 1).price`.

use sqlparser::ast::{AccessExpr, Expr, Function, Ident, Subscript, Value};
use vitrine_sql::ast::{last_part, plain_arguments};

/// BigQuery's position functions within brackets.
const PLACES: [&str; 4] = ["OFFSET", "ORDINAL", "SAFE_OFFSET", "SAFE_ORDINAL"];

/// A list member at a fixed position.
pub(crate) struct ByPlace<'e> {
    /// Name of the list, with the table as optional qualifier.
    pub list: Vec<&'e Ident>,
    /// The accesses after the member.
    pub behind: &'e [AccessExpr],
}

impl<'e> ByPlace<'e> {
    /// Returns the member that an expression is, or is a part of.
    pub fn from_expr(expr: &'e Expr) -> Option<Self> {
        match expr {
            Expr::CompoundFieldAccess { root, access_chain } => {
                if let Some(list) = element_list(root) {
                    return Some(Self { list, behind: access_chain });
                }
                let mut list = identifier_path(root)?;
                for (at, access) in access_chain.iter().enumerate() {
                    match access {
                        AccessExpr::Dot(Expr::Identifier(one)) => list.push(one),
                        AccessExpr::Subscript(Subscript::Index { index }) if is_place(index) => {
                            return Some(Self { list, behind: &access_chain[at + 1..] });
                        }
                        _ => return None,
                    }
                }
                None
            }
            other => element_list(other).map(|list| Self { list, behind: &[] }),
        }
    }

    /// Returns the field as a field of every member, qualified by the list's name. `None` unless exactly one field is
    /// accessed.
    pub fn field_of_each(&self) -> Option<Vec<Ident>> {
        let fields = self.behind.iter().map(|access| match access {
            AccessExpr::Dot(Expr::Identifier(one)) => Some(one),
            _ => None,
        });
        let fields: Vec<&Ident> = fields.collect::<Option<_>>()?;
        (!fields.is_empty()).then(|| self.list.iter().copied().chain(fields).cloned().collect())
    }
}

/// Returns the names of a plain or compound identifier.
fn identifier_path(expr: &Expr) -> Option<Vec<&Ident>> {
    match expr {
        Expr::Identifier(one) => Some(vec![one]),
        Expr::CompoundIdentifier(parts) => Some(parts.iter().collect()),
        _ => None,
    }
}

/// Returns the list of `element_at(items, 1)`.
fn element_list(expr: &Expr) -> Option<Vec<&Ident>> {
    let Expr::Function(function) = expr else { return None };
    match named_call_arguments(function, &["ELEMENT_AT"])?.as_slice() {
        [list, place] if is_number(place) => identifier_path(list),
        _ => None,
    }
}

/// Returns true if an index is a number, plain or in a position function.
fn is_place(index: &Expr) -> bool {
    is_number(index)
        || match index {
            Expr::Function(function) => named_call_arguments(function, &PLACES)
                .is_some_and(|all| matches!(all.as_slice(), [one] if is_number(one))),
            _ => false,
        }
}

/// Returns the arguments of a function with one of these names.
fn named_call_arguments<'e>(function: &'e Function, names: &[&str]) -> Option<Vec<&'e Expr>> {
    let name = last_part(&function.name)?;
    names.iter().any(|known| known.eq_ignore_ascii_case(&name.value)).then(|| plain_arguments(function))?
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::Number(..)))
}

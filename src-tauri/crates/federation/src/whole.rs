//! Queries that read one source in the dialect of the joining engine: the source runs them as a whole.

use crate::catalog::{find_table, is_same_name};
use crate::from::name_parts;
use crate::source::Source;
use crate::source_query::prove_for;
use sqlparser::ast::{
    Expr, Ident, ObjectName, Query, SelectItem, SelectItemQualifiedWildcardKind, TableAlias, TableFactor, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::TableName;
use vitrine_sql::ast::{build_identifier, visit_mut};
use vitrine_sql::{ReadOnlySql, named_tables, rewrite_unformatted};
use vitrine_warehouse::JOIN_DIALECT;

/// Returns the place of the source that can run the whole query, with the query in its own names. `None` if several sources
/// are read, if the source has another dialect, or if a name is in doubt.
pub(crate) fn whole_query(sql: &ReadOnlySql, sources: &[Source]) -> Option<(usize, ReadOnlySql)> {
    let mut places: Vec<usize> = Vec::new();
    for parts in named_tables(sql)? {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        places.push(find_table(sources, &parts).ok()?.source);
    }
    places.dedup();
    let [place] = places.as_slice() else { return None };
    let source = &sources[*place];
    if source.catalog.dialect != JOIN_DIALECT {
        return None;
    }
    let (own, ()) = rewrite_unformatted(sql, |query| rename_tables(query, source, sources))?;
    Some((*place, prove_for(source, own.as_str()).ok()?))
}

fn rename_tables(query: &mut Query, source: &Source, sources: &[Source]) -> Option<()> {
    let mut renamer = Renamer { source, sources };
    visit_mut(query, &mut renamer).is_continue().then_some(())
}

struct Renamer<'s> {
    source: &'s Source,
    sources: &'s [Source],
}

impl Renamer<'_> {
    fn starts_with_source(&self, path: &[Ident]) -> bool {
        path.len() > 2 && is_same_name(&path[0].value, &self.source.name)
    }
}

impl VisitorMut for Renamer<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else { return ControlFlow::Continue(()) };
        let parts = name_parts(name);
        let texts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let [_, .., last] = texts.as_slice() else { return ControlFlow::Continue(()) };
        let Ok(found) = find_table(self.sources, &texts) else { return ControlFlow::Break(()) };
        let own: &TableName = &found.table(self.sources).name;
        if alias.is_none() {
            let name = build_identifier(last, JOIN_DIALECT);
            *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        }
        let own: Vec<Ident> = own.name_parts().map(|part| build_identifier(part, JOIN_DIALECT)).collect();
        // One part could be the name of a view of the query.
        *name = match own.len() {
            1 => ObjectName::from([vec![Ident::new("main")], own].concat()),
            _ => ObjectName::from(own),
        };
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            // Such a name has no meaning in the source.
            Expr::CompoundIdentifier(path) if self.starts_with_source(path) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &mut sqlparser::ast::Select) -> ControlFlow<()> {
        let in_doubt = select.projection.iter().any(|item| match item {
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => name.0.len() > 1,
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(_), _) => true,
            _ => false,
        });
        if in_doubt { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

//! Looks up columns and outputs by the names in a spec.

use super::problem::suggest_names;
use super::scope::{Column, Member, Scope, resolve_column};
use crate::model::hidden::Hidden;
use crate::model::plan::{Field, Output, Source};
use vitrine_domain::views::JoinKind;
use vitrine_sql::ColumnType;

/// Looks up columns in the sources.
#[derive(Clone)]
pub(crate) struct ColumnLookup<'l, 'a> {
    pub scope: &'l Scope<'a>,
    pub members: Vec<Member<'a>>,
    pub sources: &'l [Source<'a>],
    /// True if columns of anti-joined sources can be named.
    pub absent: bool,
}

impl ColumnLookup<'_, '_> {
    /// Returns a column as stored, and its hidden type.
    pub fn resolve_column(&self, name: &str) -> Result<(Field, Option<Hidden>), String> {
        let found = self.locate_column(name)?;
        let column = self.members[found.member].rows.relation.column(&found.name);
        let (family, hidden) = column.map_or((ColumnType::Unknown, None), |c| (c.family, c.hidden.clone()));
        Ok((Field { source: found.member, column: found.name, family, read: None }, hidden))
    }

    fn locate_column(&self, name: &str) -> Result<Column, String> {
        let present = self.sources.iter().take_while(|source| !source.is_absent()).count();
        let find = |members| resolve_column(name, members, self.scope, &|columns| self.are_equivalent(columns));
        let found = find(&self.members[..present]);
        match (&found, find(&self.members)) {
            (Err(_), Ok(column)) if self.absent => Ok(column),
            (Err(_), Ok(column)) => {
                let alias = &self.members[column.member].alias;
                Err(format!("{alias} has an anti join: no row of it is there. Name it in conditions only."))
            }
            _ => found,
        }
    }

    /// Returns a column that both sides of a full join are joined by, and its hidden type.
    pub fn find_merged_column(&self, name: &str) -> Option<(Field, Field, Option<Hidden>)> {
        let [_, other] = self.sources else { return None };
        let link = other.link.as_ref().filter(|link| link.kind == JoinKind::Full)?;
        let same = |(up, own): &&(String, String)| up.eq_ignore_ascii_case(name) && own.eq_ignore_ascii_case(name);
        let (up, own) = link.on.iter().find(same)?;
        let field = |source: usize, name: &str| {
            let column = self.members[source].rows.relation.column(name)?;
            let field = Field { source, column: column.name.clone(), family: column.family, read: None };
            Some((field, column.hidden.clone()))
        };
        let ((left, hidden), (right, other)) = (field(0, up)?, field(1, own)?);
        (left.family == right.family && hidden == other).then_some((left, right, hidden))
    }

    /// Returns a column as stored.
    pub fn stored_field(&self, name: &str) -> Result<Field, String> {
        self.resolve_column(name).map(|(field, _)| field)
    }

    /// Returns a column as its hidden type.
    pub fn converted_field(&self, name: &str) -> Result<Field, String> {
        let (field, hidden) = self.resolve_column(name)?;
        Ok(read_as(field, hidden))
    }

    /// Returns true if columns of the same name are joined to each other, so that the first represents all.
    fn are_equivalent(&self, columns: &[Column]) -> bool {
        columns.iter().skip(1).all(|c| {
            self.sources[c.member].link.as_ref().is_some_and(|link| {
                columns
                    .iter()
                    .any(|o| o.member == link.parent && link.on.iter().any(|(up, own)| *up == o.name && *own == c.name))
            })
        }) && columns.iter().all(|c| {
            // The column of a left join is NULL for unmatched rows.
            self.sources[c.member].link.as_ref().is_none_or(|link| link.kind == JoinKind::Inner)
        })
    }
}

/// Converts a stored column to its hidden type.
pub(crate) fn read_as(field: Field, hidden: Option<Hidden>) -> Field {
    let family = hidden.as_ref().and_then(Hidden::family).unwrap_or(field.family);
    Field { family, read: hidden, ..field }
}

/// Returns an output by its name; a dimension also by its source and column.
pub(crate) fn find_output(name: &str, among: &[Output], noun: &str) -> Result<Output, String> {
    let is = |name: &str| among.iter().find(|o| o.name.eq_ignore_ascii_case(name));
    let short = name.rsplit_once('.').map_or(name, |(_, short)| short);
    is(name).or_else(|| is(short)).cloned().ok_or_else(|| {
        let there: Vec<String> = among.iter().map(|o| o.name.clone()).collect();
        format!("This view has no {noun} {name}.{}", suggest_names(name, &there))
    })
}

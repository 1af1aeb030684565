//! Finds the columns that link two sources if the spec does not name them.

use super::scope::Member;
use crate::model::relation::Rows;
use vitrine_domain::Catalog;
use vitrine_sql::normalize_name;

/// Pairs of columns that must be equal.
pub(crate) type Pairs = Vec<(String, String)>;

/// Returns the possible links of two sources by keys: foreign keys between tables; columns from the same key column if
/// one of them is a view.
pub(crate) fn find_key_links(a: &Rows<'_>, b: &Rows<'_>, catalog: &Catalog) -> Vec<Pairs> {
    let (Some(one), Some(other)) = (a.table, b.table) else {
        let shared = shared_keys(a, b, catalog);
        let once = |get: fn(&(String, String)) -> &String| {
            shared.iter().all(|p| shared.iter().filter(|q| get(q) == get(p)).count() == 1)
        };
        return match shared.len() {
            0 => Vec::new(),
            _ if once(|p| &p.0) && once(|p| &p.1) => vec![shared],
            _ => shared.into_iter().map(|pair| vec![pair]).collect(),
        };
    };
    let keys = |from: &vitrine_domain::Table, to: &vitrine_domain::Table| -> Vec<Pairs> {
        let keys = from.foreign_keys.iter().filter(|key| key.ref_table == to.name && !key.columns.is_empty());
        keys.map(|key| key.columns.iter().cloned().zip(key.ref_columns.iter().cloned()).collect()).collect()
    };
    let mut found = keys(one, other);
    for pairs in keys(other, one).into_iter().map(swap_pairs) {
        if !found.contains(&pairs) {
            found.push(pairs);
        }
    }
    found
}

/// Returns true if an alias names a key: `manager` names `manager_id`, `from` names `from_airport`.
pub(crate) fn spoken_of(on: &Pairs, a: &Member<'_>, b: &Member<'_>) -> bool {
    let begins = |column: &str, member: &Member<'_>| {
        let alias = normalize_name(&member.alias);
        !member.rows.name.name.eq_ignore_ascii_case(&member.alias)
            && !alias.is_empty()
            && normalize_name(column).starts_with(&alias)
    };
    on.iter().any(|(left, right)| begins(left, b) || begins(right, a))
}

/// Returns pairs of columns of two sources that contain the same key.
fn shared_keys(a: &Rows<'_>, b: &Rows<'_>, catalog: &Catalog) -> Pairs {
    let keys = |rows: &Rows<'_>| -> Vec<(String, (String, String))> {
        let plain = rows.relation.columns.iter().filter(|c| c.plain);
        plain.filter_map(|c| Some((c.name.clone(), resolve_root_key(c.sources.first()?, catalog)?))).collect()
    };
    let (a, b) = (keys(a), keys(b));
    let pairs = a.iter().flat_map(|(one, root)| {
        b.iter().filter(move |(_, other)| other == root).map(move |(other, _)| (one.clone(), other.clone()))
    });
    pairs.collect()
}

/// Returns the key that a column contains: its own, or the one at the end of its foreign keys.
fn resolve_root_key(column: &(String, String), catalog: &Catalog) -> Option<(String, String)> {
    const STEPS: usize = 6;
    let mut current = column.clone();
    for _ in 0..STEPS {
        let table = catalog.tables.iter().find(|t| t.name.to_string() == current.0)?;
        let refers =
            table.foreign_keys.iter().find_map(|key| match (key.columns.as_slice(), key.ref_columns.as_slice()) {
                ([own], [to]) if own.eq_ignore_ascii_case(&current.1) => Some((key.ref_table.to_string(), to.clone())),
                _ => None,
            });
        match refers {
            Some(next) if next != current => current = next,
            _ => {
                let is = |c: &String| c.eq_ignore_ascii_case(&current.1);
                let referred = catalog.tables.iter().flat_map(|t| &t.foreign_keys);
                let key = table.primary_key.iter().any(is)
                    || referred.filter(|k| k.ref_table == table.name).any(|k| k.ref_columns.iter().any(is));
                return key.then_some(current);
            }
        }
    }
    None
}

pub(crate) fn swap_pairs(pairs: Pairs) -> Pairs {
    pairs.into_iter().map(|(a, b)| (b, a)).collect()
}

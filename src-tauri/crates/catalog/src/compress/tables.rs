//! Groups look-alike tables.

use super::pattern::{NUM, VAR, compare_natural, digits_to_num, split_pattern};
use std::collections::HashMap;
use vitrine_domain::{Table, TableKind};

/// Minimum size of a group whose names differ in a word. Different words indicate different meanings more often than
/// different numbers do.
const FEWEST_VAR_MEMBERS: usize = 3;
/// Maximum number of parts of a name that may vary besides digits.
const MOST_VAR_PARTS: usize = 3;

/// Indices of tables in natural order of their names.
pub(super) struct Group {
    pub pattern: String,
    pub members: Vec<usize>,
}

/// Returns all tables in groups (most of a single table), ordered by first member.
pub(super) fn group_tables(tables: &[Table]) -> Vec<Group> {
    let mut alike: HashMap<[u8; 32], Vec<usize>> = HashMap::with_capacity(tables.len());
    let mut alone = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        // Tables with unknown columns are never merged.
        if table.columns.is_empty() {
            alone.push(Group { pattern: String::new(), members: vec![index] });
        } else {
            alike.entry(compute_signature(table)).or_default().push(index);
        }
    }
    let merged = alike.into_values().flat_map(|same| merge_similar_tables(tables, same));
    let mut groups: Vec<Group> = merged.chain(alone).collect();
    // The order of the hash map is arbitrary; the order of first members is not.
    groups.sort_by_cached_key(|g| g.members.iter().copied().min());
    for group in &mut groups {
        group.members.sort_by(|&a, &b| compare_natural(&tables[a].name.name, &tables[b].name.name).then(a.cmp(&b)));
        if let [only] = group.members[..] {
            group.pattern = tables[only].name.to_string();
        } else {
            let name = &tables[group.members[0]].name;
            let qualifiers = [&name.catalog, &name.schema].into_iter().flatten();
            group.pattern = qualifiers.map(|q| format!("{q}.")).collect::<String>() + &group.pattern;
        }
    }
    groups
}

/// Returns a hash that is equal for tables of one schema with the same columns (in any order), types and keys.
fn compute_signature(table: &Table) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    // Each text is preceded by its length, so that different lists cannot have the same encoding.
    let mut text = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    text(table.name.catalog.as_deref().unwrap_or_default());
    text(table.name.schema.as_deref().unwrap_or_default());
    text(if table.kind == TableKind::View { "view" } else { "table" });
    let mut columns: Vec<(&str, &str)> =
        table.columns.iter().map(|c| (c.name.as_str(), c.data_type.as_str())).collect();
    columns.sort_unstable();
    text(&columns.len().to_string());
    for (name, data_type) in columns {
        text(name);
        text(data_type);
    }
    text(&table.primary_key.len().to_string());
    for name in &table.primary_key {
        text(name);
    }
    let mut keys: Vec<String> = table
        .foreign_keys
        .iter()
        .map(|k| format!("{:?} {:?} {:?}", k.columns, k.ref_table.name_parts().collect::<Vec<_>>(), k.ref_columns))
        .collect();
    keys.sort_unstable();
    for key in &keys {
        text(key);
    }
    *hasher.finalize().as_bytes()
}

/// Merges tables with equal signatures by name: first by digits, then by one other part at a time.
fn merge_similar_tables(tables: &[Table], same: Vec<usize>) -> Vec<Group> {
    let mut groups =
        group_by(same.into_iter().map(|index| ((digits_to_num(&tables[index].name.name), None), vec![index])));
    for _ in 0..MOST_VAR_PARTS {
        if groups.len() < FEWEST_VAR_MEMBERS {
            break;
        }
        let before = groups.len();
        groups = merge_one_part(tables, groups);
        if groups.len() == before {
            break;
        }
    }
    groups
}

/// A pattern, and the comment if it affects the grouping.
type Key = (String, Option<String>);

/// Merges groups with equal keys in order of first appearance.
fn group_by(items: impl Iterator<Item = (Key, Vec<usize>)>) -> Vec<Group> {
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (key, mut members) in items {
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push(Group { pattern: key.0, members: Vec::new() });
            groups.len() - 1
        });
        groups[place].members.append(&mut members);
    }
    groups
}

fn merge_one_part(tables: &[Table], groups: Vec<Group>) -> Vec<Group> {
    let candidates: Vec<Vec<String>> = groups.iter().map(|g| with_one_var(&g.pattern)).collect();
    // A varying word may carry meaning; different comments indicate that it does.
    let comments: Vec<Option<String>> =
        groups.iter().map(|g| tables[g.members[0]].comment.as_deref().map(digits_to_num)).collect();
    let keyed = |at: usize| -> Vec<(&str, Option<&str>)> {
        candidates[at].iter().map(|c| (c.as_str(), comments[at].as_deref())).collect()
    };
    let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    for candidate in (0..groups.len()).flat_map(keyed) {
        *counts.entry(candidate).or_default() += 1;
    }
    // Each group joins the largest candidate; ties are resolved in favour of the leftmost varying part.
    let chosen: Vec<Option<(&str, Option<&str>)>> = (0..groups.len())
        .map(|at| {
            let best = keyed(at).into_iter().rev().max_by_key(|c| counts[c])?;
            (counts[&best] >= FEWEST_VAR_MEMBERS).then_some(best)
        })
        .collect();
    let mut agreed: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    for choice in chosen.iter().flatten() {
        *agreed.entry(*choice).or_default() += 1;
    }
    let keys: Vec<Key> = groups
        .iter()
        .zip(&chosen)
        .map(|(group, choice)| match choice {
            // Other groups may have chosen differently, so that too few members are left.
            Some(choice) if agreed[choice] >= FEWEST_VAR_MEMBERS => (choice.0.to_owned(), choice.1.map(str::to_owned)),
            _ => (group.pattern.clone(), None),
        })
        .collect();
    group_by(keys.into_iter().zip(groups.into_iter().map(|g| g.members)))
}

/// Returns the pattern with one word replaced by [`VAR`], for each word, provided that another word remains.
fn with_one_var(pattern: &str) -> Vec<String> {
    let tokens = split_pattern(pattern);
    let is_word = |token: &str| token.replace(NUM, "").replace(VAR, "").chars().any(char::is_alphabetic);
    let words = tokens.iter().filter(|t| is_word(t)).count();
    if words < 2 {
        return Vec::new();
    }
    (0..tokens.len())
        .filter(|&at| is_word(tokens[at]) && !tokens[at].contains('{'))
        .map(|at| tokens.iter().enumerate().map(|(i, token)| if i == at { VAR } else { token }).collect())
        .collect()
}

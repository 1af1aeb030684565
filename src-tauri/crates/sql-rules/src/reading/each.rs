//! The scope of "each": "the activities that each gym offers" may ask for the activities of every single gym, or for
//! those common to all gyms. The other reading exists for a many-to-many relation, and only if the question does not
//! begin with "each": "for each gym its activities" has one meaning.

use super::{Meanings, QuestionWords, selected_column};
use crate::RuleInput;
use crate::words::{singular_words, singularize};
use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, GroupByExpr, JoinConstraint, JoinOperator, OrderByKind, Query, Select, SetExpr,
    TableWithJoins,
};
use vitrine_domain::{Catalog, Dialect, ForeignKey, Table, capitalize_first};
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_aggregate_names, collect_columns, collect_conjuncts, has_group_by,
    has_queries, is_column, iter_relations, iter_table_factors, parse_expr, qualified_column, resolve_column_index,
    table_factor,
};
use vitrine_sql::{name_words, quote_identifier};
use vitrine_words::tr;

/// Words for every single entity.
const EACH: &[&str] = &[
    "each", "every", "jede", "jeder", "jedes", "jedem", "jeden", "chaque", "cada", "ogni", "ciascun", "ciascuno",
    "ciascuna", "elk", "elke", "ieder", "iedere", "każdy", "każda", "każde", "varje",
];
/// Words for all entities together. Before the listed entity they only say that none may be omitted.
const ALL: &[&str] = &["all", "alle", "allen", "aller", "tous", "toutes", "todos", "todas", "tutti", "tutte", "alla"];
/// Maximum number of words between such a word and the noun that it refers to.
const BETWEEN: usize = 4;

/// Keeps only entities that every owner has.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Option<Meanings> {
    if query.limit_clause.is_some() || query.fetch.is_some() {
        return None;
    }
    let scope = InScope::from_query(query, input.catalog);
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    if select.having.is_some() || !collect_aggregate_names(&select.projection).is_empty() {
        return None;
    }
    let tables: Vec<Relation<'_>> = iter_relations(select, &scope).collect::<Option<_>>()?;
    let said = QuestionWords::from_question(&input.facts.asked);
    let pairs =
        Pairs::find_candidates(&tables, scope.catalog()).find(|pairs| pairs.are_open(&said, select, &tables))?;
    let kept = pairs.kept_conditions(select, &tables)?;
    let common = pairs.shared_by_all_condition(scope.dialect)?;
    let is_thing = |expr: &Expr| resolve_column_index(expr, &tables).is_some_and(|(at, _)| at == pairs.things);
    select.projection.retain(|item| selected_column(item).is_some_and(is_thing));
    let relation = iter_table_factors(select).nth(pairs.things)?.clone();
    select.from = vec![TableWithJoins { relation, joins: Vec::new() }];
    if has_group_by(select) {
        // The grouping computes no aggregate; it only removes duplicates.
        select.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
        select.distinct = Some(Distinct::Distinct);
    }
    select.selection = kept.into_iter().chain([common]).reduce(build_and);
    let sorts_things = query.order_by.as_ref().is_some_and(|order| match &order.kind {
        OrderByKind::Expressions(all) => all.iter().all(|by| is_thing(&by.expr)),
        OrderByKind::All(_) => true,
    });
    if !sorts_things {
        query.order_by = None;
    }
    let (things, every) =
        (name_words(&pairs.thing_table(&tables).name.name).join(" "), singular_words(&pairs.every.name.name).join(" "));
    Some(Meanings {
        as_written: capitalize_first(&tr!(
            "{things} of each individual {every}",
            things = things.clone(),
            every = every.clone()
        )),
        otherwise: tr!("Only {things} that every {every} has", things, every),
    })
}

/// A many-to-many relation: listed entities ("things") and the owners that share them.
struct Pairs<'c> {
    /// Index of the things in the FROM clause.
    things: usize,
    /// Key column of the things.
    key: String,
    /// The link table, with its columns for thing and owner.
    link: &'c Table,
    thing: String,
    owner: String,
    every: &'c Table,
    /// Alias of the things in the query.
    alias: String,
}

impl<'c> Pairs<'c> {
    /// Returns the candidate relations of a query that reads all three tables, or only the link table and the things.
    fn find_candidates<'t>(
        tables: &'t [Relation<'c>],
        catalog: &'c Catalog,
    ) -> impl Iterator<Item = Self> + use<'t, 'c> {
        let keys = |link: &'c Table| {
            link.foreign_keys.iter().flat_map(|one| link.foreign_keys.iter().map(move |other| (one, other)))
        };
        tables.iter().flat_map(move |link| keys(link.table).map(move |keys| (link.table, keys))).filter_map(
            move |(link, (to_thing, to_owner))| {
                let (thing, key) = single_column_key(to_thing)?;
                let (owner, _) = single_column_key(to_owner)?;
                let every = catalog.tables.iter().find(|table| table.name == to_owner.ref_table)?;
                let things = tables.iter().position(|table| table.table.name == to_thing.ref_table)?;
                let own = [&link.name, &to_thing.ref_table, &every.name];
                let is_whole = own[0] != own[1] && own[1] != own[2] && own[0] != own[2];
                let is_alone = tables.iter().all(|table| own.contains(&&table.table.name)) && tables.len() <= own.len();
                let alias = tables[things].alias.clone();
                (is_whole && is_alone).then_some(Self { things, key, link, thing, owner, every, alias })
            },
        )
    }

    fn thing_table<'t>(&self, tables: &'t [Relation<'c>]) -> &'t Table {
        tables[self.things].table
    }

    /// Returns true if the query lists things, and the question says "each" about their owners, after the things.
    fn are_open(&self, said: &QuestionWords, select: &Select, tables: &[Relation<'_>]) -> bool {
        let columns: Option<Vec<(usize, &str)>> =
            select.projection.iter().map(|item| resolve_column_index(selected_column(item)?, tables)).collect();
        let Some(columns) = columns else { return false };
        let mut names: Vec<String> = singular_words(&self.thing_table(tables).name.name);
        let listed = columns.iter().filter(|(at, _)| *at == self.things);
        names.extend(listed.clone().flat_map(|(_, name)| singular_words(name)));
        let heads = singular_words(&self.every.name.name);
        let Some(head) = heads.last() else { return false };
        let has = |from: usize, to: usize, name: &String| {
            said.words_between(from, to).iter().any(|word| singularize(word) == *name)
        };
        let whole = said.len();
        // If the question uses other words than the tables, the first column may show the owners.
        let is_foreign = !has(0, whole, head) && !names.iter().any(|name| has(0, whole, name));
        let leads = columns.first().is_some_and(|(at, _)| tables[*at].table.name == self.every.name);
        let is_open = |at: usize| {
            let word = said.words_between(at, at + 1).concat();
            let each = EACH.contains(&word.as_str());
            match is_foreign {
                true => each && at > 1 && leads,
                false => {
                    (each || ALL.contains(&word.as_str()))
                        && has(at + 1, at + 1 + BETWEEN, head)
                        && names.iter().any(|name| has(0, at, name))
                }
            }
        };
        listed.count() > 0 && (0..whole).any(is_open)
    }

    /// Returns the conditions on the things. `None` if there are conditions on other tables.
    fn kept_conditions(&self, select: &Select, tables: &[Relation<'_>]) -> Option<Vec<Expr>> {
        let mut parts = Vec::new();
        select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut parts));
        let conditions = parts.len();
        for join in select.from.iter().flat_map(|from| &from.joins) {
            if let JoinOperator::Inner(constraint)
            | JoinOperator::Join(constraint)
            | JoinOperator::Left(constraint)
            | JoinOperator::LeftOuter(constraint) = &join.join_operator
            {
                if let JoinConstraint::On(on) = constraint {
                    collect_conjuncts(on, &mut parts);
                }
            } else {
                return None;
            }
        }
        let mut kept = Vec::new();
        for (at, part) in parts.into_iter().enumerate() {
            let named = collect_columns(part);
            let places: Vec<usize> =
                named.iter().map(|column| Some(resolve_column_index(column, tables)?.0)).collect::<Option<_>>()?;
            let is_join = matches!(part, Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_column(left) && is_column(right));
            let of_things = places.iter().all(|place| *place == self.things) && !has_queries(part);
            if of_things && at < conditions {
                kept.push(part.clone());
            } else if !is_join {
                return None;
            }
        }
        Some(kept)
    }

    /// Builds the condition that a thing is linked to every owner that has things.
    fn shared_by_all_condition(&self, dialect: Dialect) -> Option<Expr> {
        let column = |name: &str| quote_identifier(name, dialect);
        let text = format!(
            "{key} IN (SELECT {thing} FROM {link} GROUP BY {thing} HAVING COUNT(DISTINCT {owner}) = (SELECT COUNT(*) FROM {every}))",
            key = qualified_column(&self.alias, &self.key, dialect),
            thing = column(&self.thing),
            owner = column(&self.owner),
            link = table_factor(&self.link.name, dialect),
            every = table_factor(&self.every.name, dialect),
        );
        parse_expr(&text, dialect)
    }
}

/// Returns the column of a single-column foreign key, and the column that it refers to.
fn single_column_key(key: &ForeignKey) -> Option<(String, String)> {
    match (key.columns.as_slice(), key.ref_columns.as_slice()) {
        ([own], [target]) => Some((own.clone(), target.clone())),
        _ => None,
    }
}

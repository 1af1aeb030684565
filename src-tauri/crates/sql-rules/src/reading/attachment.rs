//! The attachment of a condition: "jazz bands and rock bands founded in 1985" may ask for all jazz bands. The other
//! reading exists if each of the two values is a noun; "orders from Berlin and Hamburg in 2023" has only one reading.

use super::{Meanings, Mention, QuestionWords, selected_column};
use crate::RuleInput;
use crate::words::{singular_words, singularize};
use sqlparser::ast::{BinaryOperator, Expr, Query, SetExpr};
use vitrine_sql::ast::{
    InScope, Relation, build_and, build_or, collect_conjuncts, collect_constants, collect_disjuncts, has_queries,
    is_column, iter_relations, match_constant_equality, resolve_column_table,
};
use vitrine_words::{join_with_and, quote_text, tr};

/// Maximum number of words between two values joined by "and": the noun of the first, and "and" itself.
const BETWEEN: usize = 2;

/// Moves conditions from all values to the last one, or back.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Option<Meanings> {
    let scope = InScope::from_query(query, input.catalog);
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    let tables: Vec<Relation<'_>> = iter_relations(select, &scope).flatten().collect();
    let condition = select.selection.as_ref().filter(|condition| !has_queries(*condition))?;
    let said = QuestionWords::from_question(&input.facts.asked);
    let mut nouns: Vec<String> = tables.iter().flat_map(|table| singular_words(&table.table.name.name)).collect();
    let listed =
        select.projection.iter().filter_map(selected_column).filter_map(|listed| resolve_column_table(listed, &tables));
    nouns.extend(listed.flat_map(|(_, name)| singular_words(name)));
    let found = NamedValues::of_all(condition, &said, &nouns).or_else(|| NamedValues::of_last(condition, &said))?;
    let (of_all, of_last) = found.describe_meanings(&said);
    let (as_written, otherwise) = if found.for_all { (of_all, of_last) } else { (of_last, of_all) };
    select.selection = Some(found.moved_over()?);
    Some(Meanings { as_written, otherwise })
}

/// A value that the question mentions, with its condition.
struct NamedValue {
    value: String,
    is: Expr,
    at: Mention,
}

/// Values that the question lists together, with the conditions mentioned after the last of them.
struct NamedValues {
    /// The values in the order of the question, at least two.
    things: Vec<NamedValue>,
    /// The conditions that may apply to all values or only to the last.
    open: Vec<Expr>,
    /// The conditions that apply to all values in both readings.
    rest: Vec<Expr>,
    /// True if the query applies the conditions to all values.
    for_all: bool,
}

impl NamedValues {
    /// Matches `kind IN ('a', 'b') AND year = 1985` if the question mentions both values as nouns. `nouns` are the
    /// words in the names of the query's tables and columns.
    fn of_all(condition: &Expr, said: &QuestionWords, nouns: &[String]) -> Option<Self> {
        let mut parts = Vec::new();
        collect_conjuncts(condition, &mut parts);
        let named = |part: &Expr| side_by_side(column_alternatives(part)?, said);
        let (at, things) = parts.iter().enumerate().find_map(|(at, part)| Some((at, named(part)?)))?;
        let next = |thing: &NamedValue| {
            said.words_between(thing.at.after, thing.at.after + 1).first().map(|next| singularize(next))
        };
        let first = next(&things[0]);
        let is_repeated = first.is_some() && things.iter().all(|thing| next(thing) == first);
        let is_noun = |thing: &NamedValue| thing.at.inflected || next(thing).is_some_and(|next| nouns.contains(&next));
        if !is_repeated && !things.iter().all(is_noun) {
            return None;
        }
        let last = things.last()?.at;
        let others: Vec<&Expr> =
            parts.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, part)| *part).collect();
        let follows = |part: &&Expr| is_said_after(part, last, said);
        let columns: Vec<&Expr> =
            others.iter().filter(|part| follows(part)).filter_map(|part| compared_column(part)).collect();
        // Both bounds of a period belong together.
        let is_open = |part: &&Expr| {
            follows(part)
                || !is_said(part, said) && compared_column(part).is_some_and(|column| columns.contains(&column))
        };
        let (open, rest): (Vec<&Expr>, Vec<&Expr>) = others.into_iter().partition(is_open);
        let owned = |parts: Vec<&Expr>| parts.into_iter().cloned().collect::<Vec<Expr>>();
        (!open.is_empty()).then(|| Self { things, open: owned(open), rest: owned(rest), for_all: true })
    }

    /// Matches `kind = 'a' OR kind = 'b' AND year = 1985`, which models often write although both values are meant.
    fn of_last(condition: &Expr, said: &QuestionWords) -> Option<Self> {
        let mut parts = Vec::new();
        collect_conjuncts(condition, &mut parts);
        let (at, (values, open)) = parts.iter().enumerate().find_map(|(at, part)| Some((at, last_alone(part)?)))?;
        let last = values.last()?.0.clone();
        let things = side_by_side(values, said)?;
        let place = things.last().filter(|thing| thing.value == last)?.at;
        let rest = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| (*part).clone());
        let rest = rest.collect();
        let is_open = open.iter().any(|part| is_said_after(part, place, said));
        is_open.then_some(Self { things, open, rest, for_all: false })
    }

    /// Describes the question with the conditions for all values, and with the conditions for the last value only.
    fn describe_meanings(&self, said: &QuestionWords) -> (String, String) {
        let mut conditions: Vec<String> = Vec::new();
        for constant in self.open.iter().flat_map(collect_constants) {
            let Some(at) = said.find_mention(&constant) else { continue };
            let words = said.words_between(at.first, at.after).join(" ");
            let told = quote_text(if constant.to_lowercase() == words { &constant } else { &words });
            if !conditions.contains(&told) {
                conditions.push(told);
            }
        }
        let values: Vec<String> = self.things.iter().map(|thing| quote_text(&thing.value)).collect();
        let (others, last) = values.split_at(values.len() - 1);
        let (condition, all, others, last) =
            (join_with_and(&conditions), join_with_and(&values), join_with_and(others), last.concat());
        (
            tr!("{condition} applies to {all} alike", condition = condition.clone(), all),
            tr!("{condition} applies only to {last}, and {others} is without it", condition, last, others),
        )
    }

    /// Returns the condition of the other reading.
    fn moved_over(self) -> Option<Expr> {
        let mut things: Vec<Expr> = self.things.into_iter().map(|thing| thing.is).collect();
        let mut whole = self.rest;
        if self.for_all {
            let last = things.pop()?;
            let last = self.open.into_iter().fold(last, build_and);
            things.push(Expr::Nested(Box::new(last)));
            whole.push(things.into_iter().reduce(build_or)?);
        } else {
            whole.push(things.into_iter().reduce(build_or)?);
            whole.extend(self.open);
        }
        whole.into_iter().reduce(build_and)
    }
}

/// Values of one column, each with its condition.
type Values = Vec<(String, Expr)>;

/// Returns the values of `column IN (a, b)` or `column = a OR column = b`.
fn column_alternatives(part: &Expr) -> Option<Values> {
    if let Expr::InList { expr, list, negated: false } = part {
        let value = |value: &Expr| {
            let (left, right) = (expr.clone(), Box::new(value.clone()));
            let is = Expr::BinaryOp { left, op: BinaryOperator::Eq, right };
            Some((one_constant(value)?, is))
        };
        let values: Values = list.iter().map(value).collect::<Option<_>>()?;
        return (is_column(expr) && values.len() > 1).then_some(values);
    }
    let mut parts = Vec::new();
    collect_disjuncts(strip_parentheses(part), &mut parts);
    let found: Vec<(&Expr, String)> = parts.iter().map(|part| value_of(part)).collect::<Option<_>>()?;
    let column = found.first()?.0.clone();
    let same = found.len() > 1 && found.iter().all(|(other, _)| **other == column);
    let values = found.into_iter().zip(&parts).map(|((_, value), part)| (value, (*part).clone()));
    same.then(|| values.collect())
}

/// Matches `column = a OR column = b AND more`: returns the values, with more conditions for the last one, and these
/// conditions.
fn last_alone(part: &Expr) -> Option<(Values, Vec<Expr>)> {
    let mut parts = Vec::new();
    collect_disjuncts(strip_parentheses(part), &mut parts);
    let (last, first) = parts.split_last()?;
    let first: Vec<(&Expr, String)> =
        first.iter().map(|part| value_of(strip_parentheses(part))).collect::<Option<_>>()?;
    let column = first.first()?.0;
    if first.iter().any(|(other, _)| *other != column) {
        return None;
    }
    let mut conditions = Vec::new();
    collect_conjuncts(strip_parentheses(last), &mut conditions);
    let own = conditions.iter().position(|part| value_of(part).is_some_and(|(other, _)| other == column))?;
    let is = conditions.remove(own);
    let mut values: Values =
        first.into_iter().zip(&parts).map(|((_, value), part)| (value, strip_parentheses(part).clone())).collect();
    values.push((value_of(is)?.1, is.clone()));
    (!conditions.is_empty()).then(|| (values, conditions.into_iter().cloned().collect()))
}

/// Removes the parentheses around an expression.
fn strip_parentheses(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => strip_parentheses(inner),
        other => other,
    }
}

/// Returns column and value of `column = value` or `column LIKE '%value%'`.
fn value_of(part: &Expr) -> Option<(&Expr, String)> {
    match strip_parentheses(part) {
        Expr::Like { negated: false, expr, pattern, .. } | Expr::ILike { negated: false, expr, pattern, .. } => {
            is_column(expr).then_some(())?;
            Some((expr.as_ref(), one_constant(pattern)?))
        }
        other => {
            let (column, _) = match_constant_equality(other)?;
            Some((column, one_constant(other)?))
        }
    }
}

fn one_constant(part: &Expr) -> Option<String> {
    let mut found = collect_constants(part);
    (found.len() == 1).then(|| found.remove(0))
}

/// Returns the column that a condition compares.
fn compared_column(part: &Expr) -> Option<&Expr> {
    match part {
        Expr::BinaryOp { left, .. } if is_column(left) => Some(left),
        Expr::Between { expr, .. } if is_column(expr) => Some(expr),
        _ => None,
    }
}

/// Returns the values with their positions if the question mentions them close to each other.
fn side_by_side(values: Values, said: &QuestionWords) -> Option<Vec<NamedValue>> {
    let thing = |(value, is): (String, Expr)| Some(NamedValue { at: said.find_mention(&value)?, value, is });
    let mut things: Vec<NamedValue> = values.into_iter().map(thing).collect::<Option<_>>()?;
    things.sort_by_key(|thing| thing.at.first);
    let near = |two: &[NamedValue]| {
        let (before, next) = (two[0].at, two[1].at);
        next.first > before.after && next.first - before.after <= BETWEEN
    };
    things.windows(2).all(near).then_some(things)
}

fn is_said(part: &Expr, said: &QuestionWords) -> bool {
    collect_constants(part).iter().any(|constant| said.find_mention(constant).is_some())
}

/// Returns true if the question mentions a value of a condition after the given position, and none before it.
fn is_said_after(part: &Expr, thing: Mention, said: &QuestionWords) -> bool {
    let mut places = collect_constants(part).into_iter().filter_map(|constant| said.find_mention(&constant));
    places.next().is_some_and(|at| at.first >= thing.after) && places.all(|at| at.first >= thing.after)
}

//! Links the parts of a verified question with the constants of its query.

use crate::parts::{Part, PartValue};
use crate::question::Question;
use crate::times::{is_time_name, is_time_text};
use std::collections::BTreeSet;
use vitrine_sql::{Parameter, ParameterKind};

/// Returns the constant of a parameter for another value of the part; `None` if the constant does not depend on it.
pub(crate) fn translate_constant(parameter: &Parameter, own: &PartValue, other: &PartValue) -> Option<String> {
    match (own, other) {
        (PartValue::Period(own), PartValue::Period(other)) => own.translate(&parameter.value, &parameter.name, *other),
        (PartValue::Number(own), PartValue::Number(other)) => (parameter.value == *own).then(|| other.clone()),
        _ => None,
    }
}

/// Returns, for each part, the indices of the parameters that depend on it. `None` if a parameter depends on several, if
/// a number may stand for several parameters, or if a component of a period has no constant.
pub(crate) fn link_parts(parts: &[Part], parameters: &[Parameter]) -> Option<Vec<Vec<usize>>> {
    let mut links = vec![Vec::new(); parts.len()];
    for (index, parameter) in parameters.iter().enumerate() {
        let mut owners = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| translate_constant(parameter, &part.value, &part.value).is_some());
        if let Some((owner, _)) = owners.next() {
            if owners.next().is_some() {
                return None;
            }
            links[owner].push(index);
        }
    }
    let is_certain = |(part, links): (&Part, &Vec<usize>)| {
        let linked: Vec<&Parameter> = links.iter().filter_map(|at| parameters.get(*at)).collect();
        linked.is_empty() || is_unambiguous(&part.value, &linked)
    };
    parts.iter().zip(&links).all(is_certain).then_some(links)
}

fn is_unambiguous(value: &PartValue, linked: &[&Parameter]) -> bool {
    match value {
        PartValue::Number(_) => {
            let names: BTreeSet<&str> = linked.iter().map(|parameter| base_name(&parameter.name)).collect();
            names.len() == 1 && !names.iter().any(|name| is_calendar_name(name))
        }
        PartValue::Period(period) => {
            let numbers: BTreeSet<&str> = linked
                .iter()
                .filter(|parameter| parameter.kind == ParameterKind::Number)
                .map(|parameter| base_name(&parameter.name))
                .collect();
            // "March 2024" requires a constant that depends on March and one that depends on 2024.
            let has_all_components = period.variations().into_iter().all(|other| {
                linked.iter().any(|parameter| {
                    let changed = period.translate(&parameter.value, &parameter.name, other);
                    changed.is_some_and(|changed| changed != parameter.value)
                })
            });
            has_all_components && (linked.len() == 1 || numbers.iter().all(|name| is_time_name(name)))
        }
    }
}

/// Returns the name of a parameter's column, without the end of the range and the number.
fn base_name(name: &str) -> &str {
    let name = name.trim_end_matches('_');
    let name = match name.rsplit_once('_') {
        Some((rest, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => name,
    };
    name.strip_suffix("_from").or(name.strip_suffix("_to")).unwrap_or(name)
}

/// Returns true for the name of a year, quarter or month, whose number belongs to a period.
fn is_calendar_name(name: &str) -> bool {
    ["year", "quarter", "month", "jahr", "quartal", "monat", "annee", "trimestre", "mois", "mes"]
        .iter()
        .any(|part| name.split('_').any(|word| word.ends_with(part)))
}

/// Returns true if the query has only one end of a range of times, although the question does not ask for a single end.
/// Such a query is right only while the data ends there too.
pub(crate) fn has_open_range(question: &Question<'_>, links: &[Vec<usize>], parameters: &[Parameter]) -> bool {
    // Words directly before a period.
    const ONE_END: [&str; 18] = [
        "since", "after", "before", "until", "till", "from", "seit", "ab", "nach", "vor", "bis", "depuis", "après",
        "avant", "dès", "desde", "hasta", "jusqu",
    ];
    let periods = || {
        let all = question.parts.iter().zip(links);
        all.filter(|(part, links)| matches!(part.value, PartValue::Period(_)) && !links.is_empty())
    };
    let names: Vec<&str> = periods()
        .flat_map(|(_, links)| links)
        .filter_map(|at| parameters.get(*at))
        .map(|parameter| parameter.name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()))
        .collect();
    let has_end = |suffix: &str| names.iter().any(|name| name.ends_with(suffix));
    let asks_one_end = || {
        let before = periods().filter_map(|(part, _)| question.words.get(part.words.start.checked_sub(1)?));
        before.into_iter().any(|word| ONE_END.contains(&word.text.as_str()))
    };
    has_end("_from") != has_end("_to") && !asks_one_end()
}

/// Returns true if a parameter may select a time.
pub(crate) fn selects_time(parameter: &Parameter) -> bool {
    let is_limit = parameter.name == "limit";
    let is_time = is_time_text(&parameter.value, parameter.kind == ParameterKind::Number);
    parameter.kind == ParameterKind::Date || is_time_name(&parameter.name) || is_time && !is_limit
}

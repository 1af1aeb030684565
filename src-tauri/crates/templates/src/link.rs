//! Links the parts of a verified question with the constants of its query.

use crate::parts::{Part, PartValue};
use vitrine_sql::{Parameter, ParameterKind};

/// Returns the constant of a parameter for another value of the part; `None` if the constant does not depend on it.
pub(crate) fn translate_constant(parameter: &Parameter, own: &PartValue, other: &PartValue) -> Option<String> {
    match (own, other) {
        (PartValue::Period(own), PartValue::Period(other)) => {
            own.translate(&parameter.value, &parameter.name, *other)
        }
        (PartValue::Number(own), PartValue::Number(other)) => (parameter.value == *own).then(|| other.clone()),
        _ => None,
    }
}

/// Returns, for each part, the indices of the parameters that depend on it. `None` if a parameter depends on several.
pub(crate) fn link_parts(parts: &[Part], parameters: &[Parameter]) -> Option<Vec<Vec<usize>>> {
    let mut links = vec![Vec::new(); parts.len()];
    for (index, parameter) in parameters.iter().enumerate() {
        let mut owners = parts.iter().enumerate().filter(|(_, part)| {
            translate_constant(parameter, &part.value, &part.value).is_some()
        });
        if let Some((owner, _)) = owners.next() {
            if owners.next().is_some() {
                return None;
            }
            links[owner].push(index);
        }
    }
    Some(links)
}

/// Returns true if a parameter selects a time.
pub(crate) fn selects_time(parameter: &Parameter) -> bool {
    let begins_with_year = parameter
        .value
        .get(..4)
        .and_then(|digits| digits.parse::<u32>().ok())
        .is_some_and(|year| (1900..=2100).contains(&year));
    let is_named = ["year", "quarter", "month", "week", "day"].iter().any(|part| {
        parameter.name.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    });
    parameter.kind == ParameterKind::Date || is_named || begins_with_year && parameter.name != "limit"
}

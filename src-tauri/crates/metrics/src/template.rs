//! Filters in MetricFlow's form: `{{ Dimension('store__region') }} = 'EU'` becomes `store__region = 'EU'`.

use crate::names::SEPARATOR;
use crate::problem::MetricError;
use regex::Regex;
use std::sync::LazyLock;
use vitrine_words::tr;

/// Replaces MetricFlow's templates by names of dimensions. Text without templates stays unchanged.
///
/// # Errors
/// Fails for templates other than `Dimension`, `TimeDimension` and `Entity`.
pub(crate) fn expand_templates(text: &str) -> Result<String, MetricError> {
    let unknown = |template: &str| {
        MetricError::new(tr!("'{template}' is not supported in a filter", template = template.trim())).with_hint(tr!(
            "Use Dimension('entity__dimension'), TimeDimension('metric_time', 'month') or Entity('entity') in double braces"
        ))
    };
    if let Some(at) = ["{%", "{#"].iter().find_map(|open| text.find(open)) {
        return Err(unknown(&text[at..]));
    }
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { return Err(unknown(&rest[start..])) };
        let template = &rest[start + 2..start + end];
        expanded += &rest[..start];
        expanded += &read_template(template.trim()).ok_or_else(|| unknown(&rest[start..start + end + 2]))?;
        rest = &rest[start + end + 2..];
    }
    expanded += rest;
    Ok(expanded)
}

fn read_template(template: &str) -> Option<String> {
    static CALL: LazyLock<Regex> = LazyLock::new(|| {
        let text = r#"['"]\s*(\w+)\s*['"]"#;
        let path = r#"entity_path\s*=\s*\[([^\]]*)\]"#;
        let grain = format!(r"(?:time_granularity(?:_name)?\s*=\s*)?{text}");
        Regex::new(&format!(
            r"^(Dimension|TimeDimension|Entity)\(\s*(?:name\s*=\s*)?{text}\s*(?:,\s*{grain}\s*)?(?:,\s*{path}\s*)?\)((?:\.\w+\([^)]*\))*)$"
        ))
        .expect("a valid pattern")
    });
    static METHOD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"\.(\w+)\(\s*['"](\w+)['"]\s*\)"#).expect("a valid pattern"));
    static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"['"](\w+)['"]"#).expect("a valid pattern"));
    let call = CALL.captures(template)?;
    let mut name = String::new();
    if let Some(path) = call.get(4) {
        for link in LINK.captures_iter(path.as_str()) {
            name += &link[1];
            name += SEPARATOR;
        }
    }
    name += &call[2];
    if let Some(grain) = call.get(3) {
        name += SEPARATOR;
        name += grain.as_str();
    }
    let methods = call.get(5).map_or("", |methods| methods.as_str());
    let mut read = 0;
    for method in METHOD.captures_iter(methods) {
        read += method[0].len();
        let ending = match &method[1] {
            "grain" => method[2].to_owned(),
            "date_part" => format!("extract_{}", &method[2]),
            _ => return None,
        };
        name += SEPARATOR;
        name += &ending;
    }
    (read == methods.len()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_become_names() {
        for (text, plain) in [
            ("{{ Dimension('store__region') }} = 'EU'", "store__region = 'EU'"),
            ("{{Dimension(\"a__b\")}}>1 and {{ Entity('c') }} = 2", "a__b>1 and c = 2"),
            ("{{ TimeDimension('metric_time', 'month') }} >= '2024-01-01'", "metric_time__month >= '2024-01-01'"),
            ("{{ TimeDimension('metric_time', time_granularity='day') }} = 1", "metric_time__day = 1"),
            ("{{ Dimension('metric_time').grain('week') }} = 1", "metric_time__week = 1"),
            ("{{ Dimension('metric_time').date_part('year') }} = 1", "metric_time__extract_year = 1"),
            ("{{ Dimension('store__region', entity_path=['order']) }} = 1", "order__store__region = 1"),
            ("store__region = 'EU'", "store__region = 'EU'"),
        ] {
            assert_eq!(expand_templates(text).unwrap(), plain);
        }
        for wrong in [
            "{{ var('x') }} = 1",
            "{{ Metric('a', ['b']) }} > 1",
            "{% if x %}",
            "{{ Dimension('a'",
            "{{ Dimension('a').upper() }}",
        ] {
            assert!(expand_templates(wrong).is_err(), "{wrong}");
        }
    }
}

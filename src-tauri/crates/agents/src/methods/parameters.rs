//! Parameters of all methods: completing, setting and checking them against the methods' descriptions.

use crate::methods::METHODS;
use crate::methods::method::Method;
use serde_json::Value;
use vitrine_domain::method_info::{MethodGroup, ParameterInfo};
use vitrine_domain::{AskSettings, MethodSettings, Switch};
use vitrine_words::tr;

/// Returns the default parameters of all methods.
pub fn default_parameters() -> MethodSettings {
    // The tests below assert that each method can read its own defaults.
    fill_defaults(&MethodSettings::default()).unwrap_or_default()
}

/// Returns the parameters of all methods: the values of the settings, and defaults for the others. Runs and settings are recorded in this
/// form.
///
/// # Errors
/// Names a value that its method cannot read. Bounds are not checked here, but in [`check_parameters`].
pub fn fill_defaults(settings: &MethodSettings) -> Result<MethodSettings, String> {
    METHODS
        .iter()
        .filter(|method| !method.info.parameters.is_empty())
        .map(|method| Ok((method.info.name.to_owned(), method.parameter_values(settings)?)))
        .collect()
}

/// Value of `--set METHOD=strict`, the preset with the paper's setting.
const STRICT: &str = "strict";

/// Shared stages that no paper has; the preset disables them.
const BEYOND_PAPERS: [Switch; 7] = [
    Switch::NameRepair,
    Switch::Variants,
    Switch::Findings,
    Switch::Verified,
    Switch::Readings,
    Switch::Certainty,
    Switch::Metrics,
];

/// Applies the argument of `--set KEY=VALUE` to the settings of a question: one parameter, or the preset `METHOD=strict`.
///
/// # Errors
/// Lists the existing keys, or the valid values of a key.
pub fn apply_setting(settings: &mut AskSettings, key: &str, value: &str) -> Result<(), String> {
    set_parameter(&mut settings.methods, key, value)?;
    if value == STRICT && find_parameters(key).is_some() {
        settings.without.extend(BEYOND_PAPERS);
    }
    Ok(())
}

/// Sets one parameter, or all parameters of a method with `METHOD=strict`; `auto` lets the value depend on the sizes of the model and the schema.
///
/// # Errors
/// Lists the existing keys, or the valid values of a key.
pub fn set_parameter(settings: &mut MethodSettings, key: &str, value: &str) -> Result<(), String> {
    if let Some(parameters) = find_parameters(key).filter(|_| value == STRICT) {
        for parameter in parameters {
            let value = serde_json::to_value(parameter.strict_value()).map_err(|error| error.to_string())?;
            settings.insert(key, parameter.key, value);
        }
        return Ok(());
    }
    let Some((method, name)) = key.split_once('.').filter(|(method, name)| parameter_exists(method, name)) else {
        return Err(unknown_key_message(key));
    };
    let value = match value {
        "auto" => Value::Null,
        _ => value.parse::<u64>().map_or_else(|_| Value::from(value), Value::from),
    };
    let mut changed = settings.clone();
    changed.insert(method, name, value);
    fill_defaults(&changed)?;
    *settings = changed;
    Ok(())
}

/// Checks names, types and bounds.
///
/// # Errors
/// Names the invalid key, and lists the existing keys or the valid values.
pub fn check_parameters(settings: &MethodSettings) -> Result<(), String> {
    for (method, parameters) in settings.iter() {
        let Value::Object(parameters) = parameters else { return Err(unknown_key_message(method)) };
        if let Some(name) = parameters.keys().find(|name| !parameter_exists(method, name)) {
            return Err(unknown_key_message(&format!("{method}.{name}")));
        }
    }
    fill_defaults(settings)?;
    for method in METHODS {
        for parameter in method.info.parameters {
            let Some(value) = settings.get(method.info.name, parameter.key) else { continue };
            parameter.check_value(method.info.name, value)?;
        }
    }
    Ok(())
}

/// Returns the parameters of a published method; other methods have no paper and therefore no preset.
fn find_parameters(method: &str) -> Option<&'static [ParameterInfo]> {
    let is_it = |known: &&Method| known.info.name == method && known.info.group == MethodGroup::Published;
    METHODS.iter().find(is_it).map(|method| method.info.parameters)
}

fn parameter_exists(method: &str, name: &str) -> bool {
    let method = METHODS.iter().find(|known| known.info.name == method);
    method.is_some_and(|method| method.info.parameters.iter().any(|parameter| parameter.key == name))
}

fn unknown_key_message(key: &str) -> String {
    let defaults = default_parameters();
    let keys: Vec<String> = defaults
        .iter()
        .flat_map(|(method, parameters)| {
            parameters.as_object().into_iter().flatten().map(move |known| (method, known.0))
        })
        .map(|(method, name)| format!("{method}.{name}"))
        .collect();
    tr!("unknown key '{key}': use {keys}", key, keys = keys.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use vitrine_domain::method_info::ParameterValues;

    #[test]
    fn parameters_are_set_by_key() {
        let mut settings = MethodSettings::default();
        for (key, value) in [("chase-sql.fixes", "1"), ("chase-sql.select", "ranker"), ("dsr-sql.steps", "7")] {
            set_parameter(&mut settings, key, value).unwrap();
        }
        assert_eq!(settings.get("chase-sql", "fixes"), Some(&1.into()));
        assert_eq!(settings.get("chase-sql", "select"), Some(&"ranker".into()));
        assert_eq!(settings.get("dsr-sql", "steps"), Some(&7.into()));
        set_parameter(&mut settings, "dsr-sql.steps", "auto").unwrap();
        assert_eq!(settings.get("dsr-sql", "steps"), Some(&Value::Null));
        assert_eq!(check_parameters(&settings), Ok(()));
    }

    #[test]
    fn the_preset_of_a_paper_sets_its_values_and_disables_other_stages() {
        let mut settings = AskSettings::default();
        apply_setting(&mut settings, "chase-sql", "strict").unwrap();
        assert_eq!(settings.methods.get("chase-sql", "candidates"), Some(&7.into()));
        assert_eq!(settings.methods.get("chase-sql", "select"), Some(&"pairwise".into()));
        assert_eq!(settings.methods.get("chase-sql", "orders"), Some(&"sample".into()));
        assert_eq!(settings.methods.get("chase-sql", "keywords"), Some(&"model".into()));
        assert_eq!(settings.methods.get("reforce", "votes"), None);
        assert_eq!(check_parameters(&settings.methods), Ok(()));
        assert!(!settings.is_enabled(Switch::Readings) && settings.is_enabled(Switch::Judge));
        for method in METHODS {
            let set = apply_setting(&mut AskSettings::default(), method.info.name, STRICT);
            assert_eq!(set.is_ok(), method.info.group == MethodGroup::Published, "{}", method.info.name);
        }
        // A single parameter can be changed after the preset.
        apply_setting(&mut settings, "chase-sql.candidates", "5").unwrap();
        assert_eq!(settings.methods.get("chase-sql", "candidates"), Some(&5.into()));
    }

    #[test]
    fn a_parameter_that_cannot_be_set_is_refused_with_those_that_can() {
        let mut settings = MethodSettings::default();
        let mut refused = |key: &str, value: &str| set_parameter(&mut settings, key, value).unwrap_err();
        assert_eq!(
            refused("reforce.fix", "1"),
            "unknown key 'reforce.fix': use av-sql.candidates, av-sql.prompts, av-sql.values, av-sql.consistency, \
             av-sql.schema, av-sql.context, dsr-sql.samples, dsr-sql.probes, dsr-sql.steps, dsr-sql.fixes, \
             dsr-sql.neighbours, dsr-sql.at_once, dsr-sql.temperature, chase-sql.candidates, chase-sql.examples, \
             chase-sql.example_kinds, chase-sql.fixes, chase-sql.select, chase-sql.compared, chase-sql.orders, \
             chase-sql.keywords, chase-sql.temperature, chase-sql.fix_temperature, chase-sql.empty, reforce.votes, reforce.rounds, \
             reforce.probes, reforce.link_above, reforce.explore, reforce.threads, reforce.values, reforce.empty, prospy.prunings, \
             prospy.views, prospy.executions, prospy.view_rows"
        );
        assert_eq!(
            refused("reforce.votes", "many"),
            "reforce.votes cannot be 'many': invalid type: string \"many\", expected u32"
        );
        assert_eq!(
            refused("reforce.votes", "auto"),
            "reforce.votes cannot be 'auto': invalid type: null, expected u32"
        );
        assert_eq!(
            refused("chase-sql.select", "dice"),
            "chase-sql.select cannot be 'dice': unknown variant `dice`, expected one of `pairwise`, \
             `self-consistency`, `ranker`, `learned`"
        );
        assert_eq!(settings, MethodSettings::default());
        set_parameter(&mut settings, "reforce.votes", "1000").unwrap();
        assert_eq!(check_parameters(&settings), Err("reforce.votes cannot be 1000: choose 1 to 64".to_owned()));
        let stray: MethodSettings = serde_json::from_str(r#"{"guess":{"luck":1}}"#).unwrap();
        assert!(check_parameters(&stray).unwrap_err().starts_with("unknown key 'guess.luck': use av-sql.candidates"));
    }

    /// Settings and run logs of earlier versions contain exactly this text.
    #[test]
    fn defaults_are_recorded_as_ever() {
        let recorded = "{\"dsr-sql\":{\"samples\":3,\"probes\":5,\"steps\":null,\"fixes\":5},\
            \"chase-sql\":{\"candidates\":null,\"examples\":null,\"fixes\":3,\"select\":null,\"compared\":6},\
            \"reforce\":{\"votes\":8,\"rounds\":5,\"probes\":10,\"link_above\":50000,\"explore\":\"tie\"},\
            \"prospy\":{\"prunings\":null,\"views\":4,\"executions\":3,\"view_rows\":200000}}";
        // A default that has changed since then.
        let now = recorded.replacen("\"probes\":5", "\"probes\":null", 1);
        let now: MethodSettings = serde_json::from_str(&now).unwrap();
        let read: MethodSettings = serde_json::from_str(recorded).unwrap();
        // Later versions add parameters, but keep the recorded ones and their values.
        for (recorded, filled) in [(&now, default_parameters()), (&read, fill_defaults(&read).unwrap())] {
            for (method, parameters) in recorded.iter() {
                for (key, value) in parameters.as_object().unwrap() {
                    assert_eq!(filled.get(method, key), Some(value), "{method}.{key}");
                }
            }
        }
    }

    #[test]
    fn defaults_keep_to_their_bounds() {
        assert_eq!(check_parameters(&default_parameters()), Ok(()));
    }

    #[test]
    fn described_parameters_are_those_that_a_method_reads() {
        for method in METHODS {
            let described: BTreeSet<&str> = method.info.parameters.iter().map(|parameter| parameter.key).collect();
            assert_eq!(described.len(), method.info.parameters.len(), "{}: a key twice", method.info.name);
            let values = method.parameter_values(&MethodSettings::default()).unwrap();
            let read: BTreeSet<&str> = values.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(described, read, "{}", method.info.name);
        }
    }

    #[test]
    fn described_values_are_those_that_a_method_reads() {
        for method in METHODS {
            for parameter in method.info.parameters {
                let reads = |value: Value| {
                    let mut settings = MethodSettings::default();
                    settings.insert(method.info.name, parameter.key, value);
                    method.parameter_values(&settings).is_ok()
                };
                let key = format!("{}.{}", method.info.name, parameter.key);
                assert_eq!(reads(Value::Null), parameter.may_be_auto(), "{key}: auto");
                assert!(!parameter.help.is_empty(), "{key} is not described");
                match parameter.values {
                    ParameterValues::Number { least, most, .. } => {
                        assert!(reads(least.into()) && reads(most.into()) && !reads("word".into()), "{key}");
                    }
                    ParameterValues::Choice { choices } => {
                        assert!(
                            choices.iter().filter_map(|choice| choice.value).all(|word| reads(word.into())),
                            "{key}"
                        );
                        assert!(!reads("no such word".into()), "{key}");
                    }
                }
            }
        }
    }
}

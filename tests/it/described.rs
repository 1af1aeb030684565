//! Checks the descriptions of methods against the places that show them and against recorded runs.

use crate::bench::Ran;
use serde_json::Value;
use std::path::Path;
use vitrine_agents::methods::{METHODS, find_method, parameters};
use vitrine_domain::{AskSettings, EventBody, StageKind};

/// Asserts that a run with a model that does not deliberate contained all stages that its method lists; without a
/// sandbox no code was run.
pub fn kept_its_promise(ran: &Ran, sandbox: bool) {
    let (came, promised) = stages(ran, sandbox, false);
    for kind in promised {
        assert!(came.contains(&kind), "{kind:?} is promised and did not come");
    }
}

/// Returns the distinct stage kinds of a run, in order, and the stage kinds that its method lists.
pub fn stages(ran: &Ran, sandbox: bool, deliberates: bool) -> (Vec<StageKind>, Vec<StageKind>) {
    let settings = ran
        .pick(|body| match body {
            EventBody::RunStarted { settings, .. } => Some(settings.clone()),
            _ => None,
        })
        .remove(0);
    let info = &find_method(&settings.strategy).expect("it ran").info;
    let is_set = |(key, word): (&str, &str)| settings.methods.get(info.name, key) == Some(&Value::from(word));
    let mut came: Vec<StageKind> = Vec::new();
    for kind in ran.pick(|body| match body {
        EventBody::StageStarted { kind, .. } => Some(*kind),
        _ => None,
    }) {
        if !came.contains(&kind) {
            came.push(kind);
        }
    }
    let promised = info
        .stages
        .iter()
        .filter(|stage| sandbox || stage.kind != StageKind::Analysis)
        .filter(|stage| stage.with.is_none_or(|part| settings.is_enabled(part)))
        .filter(|stage| stage.without.is_none_or(|part| !settings.is_enabled(part)))
        .filter(|stage| stage.set.is_none_or(is_set))
        .filter(|stage| deliberates || !stage.deliberating)
        .map(|stage| stage.kind);
    (came, promised.collect())
}

/// The environment variable `VITRINE_DESCRIBE=1` rewrites the file.
#[test]
fn the_fake_host_lists_the_methods_as_the_program_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/test/fake/methods.json");
    let infos: Vec<_> = METHODS.iter().map(|method| method.info).collect();
    let described = serde_json::to_value(infos).expect("plain data");
    if std::env::var_os("VITRINE_DESCRIBE").is_some() {
        std::fs::write(&path, serde_json::to_string_pretty(&described).expect("plain data") + "\n").expect("written");
    }
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("the file")).expect("JSON");
    assert_eq!(kept, described, "{}: VITRINE_DESCRIBE=1 writes it anew", path.display());
}

/// Settings of a run as earlier versions recorded them.
#[test]
fn settings_of_earlier_runs_are_read_and_written_as_they_were() {
    let recorded = "{\"strategy\":\"chase-sql\",\"model\":null,\"agentModels\":{},\"candidates\":8,\"without\":[],\
        \"withoutRules\":[],\"seed\":42,\"maxRounds\":5,\"chunkBudget\":null,\"editThreshold\":0.5,\
        \"semanticThreshold\":0.5,\"rowLimit\":10000,\"timeoutS\":60,\"budget\":{\"seconds\":null,\"tokens\":null},\
        \"askWhenUnsure\":false,\"methods\":{\
        \"dsr-sql\":{\"samples\":3,\"probes\":5,\"steps\":null,\"fixes\":5},\
        \"chase-sql\":{\"candidates\":null,\"examples\":null,\"fixes\":3,\"select\":null,\"compared\":6},\
        \"reforce\":{\"votes\":8,\"rounds\":5,\"probes\":10,\"link_above\":50000,\"explore\":\"tie\"},\
        \"prospy\":{\"prunings\":3,\"views\":4,\"executions\":3,\"view_rows\":200000}}}";
    let read: AskSettings = serde_json::from_str(recorded).expect("settings");
    let written = serde_json::to_string(&read).expect("plain data");
    // Limits that were added later.
    let later = [",\"money\":null", "\"agentBudgets\":{},", "\"answerWithinS\":0,"];
    assert_eq!(later.iter().fold(written, |written, limit| written.replace(limit, "")), recorded);
    let mut now = AskSettings {
        strategy: "chase-sql".into(),
        methods: parameters::default_parameters(),
        ..AskSettings::default()
    };
    // Later versions add parameters with their defaults.
    let filled = parameters::fill_defaults(&read.methods).expect("known parameters");
    let read = AskSettings { methods: filled, ..read };
    // The defaults of that version.
    for (key, value) in [("dsr-sql.probes", "5"), ("prospy.prunings", "3")] {
        parameters::set_parameter(&mut now.methods, key, value).expect("within bounds");
    }
    // Parameters that were added later have their defaults.
    let methods = parameters::fill_defaults(&read.methods).expect("within bounds");
    assert_eq!(AskSettings { methods, ..read }, now);
}

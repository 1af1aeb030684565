//! What is known about models: declared by a table or a file, found out by tests, said by the user, in this order.

use crate::app::App;
use crate::state::work::now;
use crate::types::{ModelProfileInfo, ModelTest, ProfileFinding, ProfileLine, ProfileSource};
use serde_json::{Map, Value, json};
use std::time::Instant;
use vitrine_domain::{AppError, Caching, ErrorCode, ModelProfile, ProfileFacts};
use vitrine_llm::families::looked_up;
use vitrine_llm::probe::{self, Probe};
use vitrine_store::KeptFacts;
use vitrine_words::{decimal, number, tr};

/// A context below this is too small to work with.
pub(crate) const LEAST_CONTEXT: u32 = 1_024;

impl App {
    /// What is known about a model, line by line, and who says so.
    pub async fn model_profile(&self, id: String) -> Result<ModelProfileInfo, AppError> {
        let profile = self.chat_model(&id).await?.profile();
        let declared = self.declared_facts(&id).await?;
        let kept = self.model_facts(&id).await?;
        Ok(info(id, profile, declared, kept))
    }

    /// Keeps what the user says about a model, and nothing that was said before.
    pub async fn set_model_profile(&self, id: String, facts: ProfileFacts) -> Result<ModelProfileInfo, AppError> {
        if facts.context_tokens.is_some_and(|tokens| tokens < LEAST_CONTEXT) {
            let message = tr!(
                "A context of fewer than {tokens} tokens is too small to work with",
                tokens = number(LEAST_CONTEXT.into())
            );
            return Err(AppError::new(ErrorCode::Usage, message).hint(tr!("Enter what the server allows")));
        }
        // Nothing is kept about a model that is not there.
        let here = self.chat_model(&id).await?.profile().runs_here();
        if facts.caching.is_some_and(|caching| (caching == Caching::Kept) != here) {
            let message = match here {
                true => tr!("{id} runs in this program, which always keeps the beginnings of its prompts", id),
                false => tr!("{id} is reached through an address: it cannot be said to run in this program", id),
            };
            return Err(AppError::new(ErrorCode::Usage, message).hint(tr!("Leave out what is said of caching")));
        }
        let name = id.clone();
        self.store(move |store| {
            let kept = KeptFacts { said: facts, ..store.model_facts(&name)? };
            store.set_model_facts(&name, &kept)
        })
        .await?;
        self.inner.models.local.lock().remove(&id);
        self.model_profile(id).await
    }

    /// Asks a model a few small things and keeps what it finds out.
    pub async fn test_model(&self, id: String) -> Result<ModelTest, AppError> {
        let cancel = self.inner.ending.child_token();
        let began = Instant::now();
        let (found, seconds) = match self.remote_http_model(&id).await? {
            Some(remote) => {
                // The model at large, and then the time that one small question takes.
                let found = probe::probe_remote(&remote, &cancel).await?;
                (found, began.elapsed().as_secs_f64())
            }
            None => {
                let model = self.chat_model(&id).await?;
                let found = probe::probe(model.as_ref(), &cancel).await?;
                (found, began.elapsed().as_secs_f64())
            }
        };
        let declared = self.declared_facts(&id).await?;
        let (name, facts) = (id.clone(), found.facts.clone());
        let day = now().chars().take(10).collect::<String>();
        self.store(move |store| {
            let kept = KeptFacts { probed: facts, probed_on: Some(day), ..store.model_facts(&name)? };
            store.set_model_facts(&name, &kept)
        })
        .await?;
        self.inner.models.local.lock().remove(&id);
        let profile = self.model_profile(id.clone()).await?;
        let reply = found.reply.chars().take(60).collect::<String>();
        let said = [
            tr!("{id} answered “{reply}” in {seconds} s.", id, reply, seconds = decimal(seconds, 1)),
            differences(&found, &declared),
        ]
        .join(" ");
        Ok(ModelTest { said: said.trim_end().to_owned(), findings: findings(&found, &declared), profile })
    }

    /// What is known about a model beside what is assumed of every one.
    pub(crate) async fn known_facts(&self, id: &str, declared: ProfileFacts) -> Result<ProfileFacts, AppError> {
        let kept = self.model_facts(id).await?;
        let mut facts = declared;
        facts.add(&kept.probed);
        facts.add(&kept.said);
        Ok(facts)
    }

    async fn model_facts(&self, id: &str) -> Result<KeptFacts, AppError> {
        let id = id.to_owned();
        self.store(move |store| store.model_facts(&id)).await
    }

    async fn declared_facts(&self, id: &str) -> Result<ProfileFacts, AppError> {
        if let Some(declared) = self.remote_declared(id).await? {
            return Ok(declared);
        }
        let local = self.inner.models.loaded(id);
        Ok(local.map(|model| model.declared().clone()).unwrap_or_default())
    }
}

/// Changes a line of what the user says: `name=value`, or `name=` to take it back. Names are written as in `ProfileFacts`, in
/// one word or with dashes or underscores.
///
/// # Errors
/// [`ErrorCode::Usage`] where there is no such line or it cannot say that.
pub fn say_line(facts: &mut ProfileFacts, line: &str) -> Result<(), AppError> {
    let usage = |message: String, hint: String| AppError::new(ErrorCode::Usage, message).hint(hint);
    let (name, value) =
        line.split_once('=').ok_or_else(|| usage(tr!("'{line}' sets nothing", line), tr!("Write it as NAME=VALUE")))?;
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let known = ProfileFacts::LINES.iter().find(|known| plain(known) == plain(name.trim()));
    let known = known.ok_or_else(|| {
        usage(
            tr!("There is no line '{name}' in a profile", name),
            tr!("Lines are {lines}", lines = ProfileFacts::LINES.join(", ")),
        )
    })?;
    let mut lines = as_map(facts);
    match value.trim() {
        "" => drop(lines.shift_remove(&camel(known))),
        text => drop(lines.insert(camel(known), written(known, text))),
    }
    *facts = serde_json::from_value(Value::Object(lines)).map_err(|error| {
        usage(tr!("'{value}' cannot be said of {line}", value = value.trim(), line = known), error.to_string())
    })?;
    Ok(())
}

/// A value as it is written on a command line: `low,high`, or prices for a million tokens read, read again, written, and put
/// into the provider's cache where that costs more.
fn written(line: &str, text: &str) -> Value {
    match line {
        "efforts" => text.split(',').map(|part| part.trim().to_owned()).collect(),
        "price" => {
            let prices: Vec<Option<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
            match prices.as_slice() {
                [Some(input), Some(cached), Some(output)] => {
                    json!({ "input": input, "cached": cached, "output": output })
                }
                [Some(input), Some(cached), Some(output), Some(cache_write)] => {
                    json!({ "input": input, "cached": cached, "output": output, "cacheWrite": cache_write })
                }
                _ => text.into(),
            }
        }
        _ => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
    }
}

/// The same the other way round.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        Value::Object(price) => price.values().map(shown).collect::<Vec<_>>().join(","),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::Bool(yes) => yes.to_string(),
    }
}

fn as_map(facts: &ProfileFacts) -> Map<String, Value> {
    match json!(facts) {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A line's name as it is serialized.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let (head, tail) = part.split_at(1.min(part.len()));
        name + &head.to_uppercase() + tail
    })
}

fn info(id: String, profile: ModelProfile, declared: ProfileFacts, kept: KeptFacts) -> ModelProfileInfo {
    let whole = json!(profile);
    let sources = [
        (as_map(&kept.said), ProfileSource::Said),
        (as_map(&kept.probed), ProfileSource::Probed),
        (as_map(&declared), ProfileSource::Declared),
    ];
    let line = |name: &&str| {
        let key = camel(name);
        let known = sources.iter().find(|(facts, _)| facts.contains_key(&key)).map(|(_, source)| *source);
        let value = shown(&whole[&key]);
        let source = known.unwrap_or(match *name {
            "reply_tokens" | "chunk_budget" => ProfileSource::Derived,
            _ if profile.runs_here() && !value.is_empty() => ProfileSource::Run,
            _ => ProfileSource::Assumed,
        });
        ProfileLine { name: (*name).to_owned(), value, source }
    };
    ModelProfileInfo {
        lines: ProfileFacts::LINES.iter().map(line).collect(),
        id,
        profile,
        declared,
        declared_on: looked_up().to_owned(),
        probed: kept.probed,
        probed_on: kept.probed_on,
        said: kept.said,
    }
}

fn findings(probe: &Probe, declared: &ProfileFacts) -> Vec<ProfileFinding> {
    let (found, declared) = (as_map(&probe.facts), as_map(declared));
    let how = |name: &str| {
        let how = probe.how.iter().rev().find(|(line, _)| *line == name);
        how.map(|(_, how)| how.clone())
    };
    let lines = ProfileFacts::LINES.iter();
    let finding = lines.filter_map(|name| {
        let key = camel(name);
        let value = found.get(&key).map(shown);
        let how = how(name).or_else(|| value.is_some().then(|| "the server tells it".to_owned()))?;
        Some(ProfileFinding { name: (*name).to_owned(), found: value, declared: declared.get(&key).map(shown), how })
    });
    finding.collect()
}

/// What was found otherwise than it is declared, in a sentence.
fn differences(probe: &Probe, declared: &ProfileFacts) -> String {
    let otherwise: Vec<String> = findings(probe, declared)
        .into_iter()
        .filter_map(|finding| {
            let (found, declared) = (finding.found?, finding.declared?);
            (found != declared).then(|| {
                tr!("{name} is {found} and not {declared}", name = finding.name.replace('_', " "), found, declared)
            })
        })
        .collect();
    if otherwise.is_empty() {
        String::new()
    } else {
        tr!("Otherwise than declared, {findings}.", findings = otherwise.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Caching, Effort, Price, SchemaSupport};

    #[test]
    fn every_line_can_be_said_shown_and_taken_back() {
        let lines = [
            ("context_tokens=65536", "65536"),
            ("reply-tokens=8000", "8000"),
            ("chunkBudget=20000", "20000"),
            ("deliberates=false", "false"),
            ("reasoning=hidden", "hidden"),
            ("efforts=low, high", "low,high"),
            ("effort=low", "low"),
            ("endpoint=responses", "responses"),
            ("prefill=true", "true"),
            ("stop=false", "false"),
            ("schema=strict", "strict"),
            ("grammar=true", "true"),
            ("samples=false", "false"),
            ("seeded=true", "true"),
            ("caching=marked", "marked"),
            ("token_probabilities=true", "true"),
            ("price=2.5,0.25,15", "2.5,0.25,15"),
        ];
        let mut facts = ProfileFacts::default();
        lines.iter().for_each(|(line, _)| say_line(&mut facts, line).unwrap());
        assert_eq!((facts.effort, facts.schema), (Some(Effort::Low), Some(SchemaSupport::Strict)));
        assert_eq!(facts.price, Some(Price { input: 2.5, cached: 0.25, output: 15.0, cache_write: None }));
        let kept = KeptFacts { said: facts.clone(), ..KeptFacts::default() };
        let info = info("m".into(), ModelProfile::default().with(&facts), ProfileFacts::default(), kept);
        let values: Vec<&str> = info.lines.iter().map(|line| line.value.as_str()).collect();
        assert_eq!(values, lines.map(|(_, value)| value));
        assert!(info.lines.iter().all(|line| line.source == ProfileSource::Said));
        say_line(&mut facts, "price=4,0.4,20,5").unwrap();
        assert_eq!(shown(&json!(facts.price)), "4,0.4,20,5", "with what is put into a cache");
        for line in ProfileFacts::LINES {
            say_line(&mut facts, &format!("{line}=")).unwrap();
        }
        assert_eq!(facts, ProfileFacts::default());
    }

    #[test]
    fn what_this_program_decides_is_not_called_assumed() {
        let here = ModelProfile { caching: Caching::Kept, deliberates: false, ..ModelProfile::default() };
        let sources = |profile: ModelProfile, declared: ProfileFacts| -> Vec<ProfileSource> {
            let info = info("m".into(), profile.with(&declared), declared, KeptFacts::default());
            let line = |name: &str| info.lines.iter().find(|line| line.name == name).expect("a line").source;
            ["context_tokens", "reply_tokens", "chunk_budget", "prefill", "price"].map(line).into()
        };
        use ProfileSource::{Assumed, Declared, Derived, Run};
        assert_eq!(sources(here.clone(), ProfileFacts::default()), [Run, Derived, Derived, Run, Assumed]);
        assert_eq!(
            sources(ModelProfile::default(), ProfileFacts::default()),
            [Assumed, Derived, Derived, Assumed, Assumed]
        );
        let known = ProfileFacts { reply_tokens: Some(4_000), ..ProfileFacts::default() };
        assert_eq!(sources(here, known), [Run, Declared, Derived, Run, Assumed], "what somebody says stands over it");
    }

    #[test]
    fn what_no_line_can_say_is_refused_with_what_it_can() {
        let mut facts = ProfileFacts::default();
        for line in ["stop", "speed=9", "stop=perhaps", "context_tokens=-1", "price=1,2", "efforts=a lot"] {
            let error = say_line(&mut facts, line).unwrap_err();
            assert!(error.code == ErrorCode::Usage && error.hint.is_some(), "{line}: {error:?}");
        }
        assert_eq!(facts, ProfileFacts::default(), "nothing is half said");
    }
}

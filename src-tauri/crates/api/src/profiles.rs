//! Model profiles: properties that are declared by a table or a file, found by tests, or set by the user, in increasing precedence.

use crate::app::App;
use crate::state::work::current_timestamp;
use crate::types::{ModelProfileInfo, ModelTest, ProfileFinding, ProfileLine, ProfileSource};
use serde_json::{Map, Value, json};
use std::time::Instant;
use vitrine_domain::{AppError, Caching, Effort, ErrorCode, ModelProfile, Price, ProfileFacts};
use vitrine_llm::families::looked_up;
use vitrine_llm::probe::{self, Probe};
use vitrine_store::KeptFacts;
use vitrine_words::{format_decimal, format_number, tr};

/// Minimum usable context in tokens.
pub(crate) const LEAST_CONTEXT: u32 = 1_024;
/// Maximum accepted context in tokens, longer than that of any model.
const MOST_CONTEXT: u32 = 20_000_000;
/// Minimum reply length in tokens that can contain a query.
const LEAST_REPLY: u32 = 256;
/// Minimum schema tokens in a prompt that can contain a table.
const LEAST_CHUNK: u32 = 100;
/// Maximum price in dollars per million tokens, more than ten times that of the most expensive model.
const MOST_PRICE: f64 = 10_000.0;

impl App {
    /// Returns the profile of a model with the source of each property.
    pub async fn model_profile(&self, id: String) -> Result<ModelProfileInfo, AppError> {
        let profile = self.chat_model(&id).await?.profile();
        let declared = self.declared_facts(&id).await?;
        let kept = self.model_facts(&id).await?;
        Ok(build_profile_info(id, profile, declared, kept))
    }

    /// Stores the properties that the user sets for a model, and removes all that were set before.
    pub async fn set_model_profile(&self, id: String, facts: ProfileFacts) -> Result<ModelProfileInfo, AppError> {
        if facts.context_tokens.is_some_and(|tokens| tokens < LEAST_CONTEXT) {
            let message = tr!(
                "A context of fewer than {tokens} tokens is too small to work with",
                tokens = format_number(LEAST_CONTEXT.into())
            );
            return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Enter what the server allows")));
        }
        // Properties are stored only for models that exist.
        let profile = self.chat_model(&id).await?.profile();
        let here = profile.runs_here();
        let mut known = self.declared_facts(&id).await?;
        known.add(&self.model_facts(&id).await?.probed);
        known.add(&facts);
        // Earlier properties of the user no longer apply, so they are not included.
        let assumed = if here { profile.context_tokens } else { ModelProfile::default().context_tokens };
        in_range(&facts, known.context_tokens.unwrap_or(assumed))?;
        if facts.caching.is_some_and(|caching| (caching == Caching::Kept) != here) {
            let message = match here {
                true => tr!("{id} runs in this program, which always caches the beginnings of its prompts", id),
                false => tr!("{id} is remote: it cannot be declared to run in this program", id),
            };
            return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Remove the lines about caching")));
        }
        let name = id.clone();
        self.with_store(move |store| {
            let kept = KeptFacts { said: facts, ..store.model_facts(&name)? };
            store.set_model_facts(&name, &kept)
        })
        .await?;
        self.inner.models.local.lock().remove(&id);
        self.model_profile(id).await
    }

    /// Calls a model with a few small requests and stores the properties that this reveals.
    pub async fn test_model(&self, id: String) -> Result<ModelTest, AppError> {
        let cancel = self.inner.ending.child_token();
        let began = Instant::now();
        let (found, seconds) = match self.remote_http_model(&id).await? {
            Some(remote) => {
                // Measures the time of one small request, after the general properties of the model.
                let found = probe::probe_remote(&remote, &cancel).await?;
                (found, began.elapsed().as_secs_f64())
            }
            None => {
                let model = self.chat_model(&id).await?;
                let found = probe::probe_model(model.as_ref(), &cancel).await?;
                (found, began.elapsed().as_secs_f64())
            }
        };
        let declared = self.declared_facts(&id).await?;
        let (name, facts) = (id.clone(), found.facts.clone());
        let day = current_timestamp().chars().take(10).collect::<String>();
        self.with_store(move |store| {
            let kept = KeptFacts { probed: facts, probed_on: Some(day), ..store.model_facts(&name)? };
            store.set_model_facts(&name, &kept)
        })
        .await?;
        self.inner.models.local.lock().remove(&id);
        let profile = self.model_profile(id.clone()).await?;
        let reply = found.reply.chars().take(60).collect::<String>();
        let said = [
            tr!("{id} answered “{reply}” in {seconds} s.", id, reply, seconds = format_decimal(seconds, 1)),
            describe_differences(&found, &declared),
        ]
        .join(" ");
        Ok(ModelTest { said: said.trim_end().to_owned(), findings: collect_findings(&found, &declared), profile })
    }

    /// Returns the known properties of a model without the defaults that apply to every model.
    pub(crate) async fn known_facts(&self, id: &str, declared: ProfileFacts) -> Result<ProfileFacts, AppError> {
        let kept = self.model_facts(id).await?;
        let mut facts = declared;
        facts.add(&kept.probed);
        // The chunk budget of a paper suits the context that the paper's model had. A server may have less, and the user may set more.
        let context = kept.said.context_tokens.or(facts.context_tokens);
        let most = context.unwrap_or(ModelProfile::default().context_tokens) / 3;
        facts.chunk_budget = facts.chunk_budget.map(|budget| budget.min(most));
        facts.add(&kept.said);
        // An imported workspace may contain a price that cannot be set here; it would disable every limit of money.
        facts.price = facts.price.filter(|price| wrong_price(price).is_none());
        Ok(facts)
    }

    async fn model_facts(&self, id: &str) -> Result<KeptFacts, AppError> {
        let id = id.to_owned();
        self.with_store(move |store| store.model_facts(&id)).await
    }

    async fn declared_facts(&self, id: &str) -> Result<ProfileFacts, AppError> {
        if let Some(declared) = self.remote_declared(id).await? {
            return Ok(declared);
        }
        let local = self.inner.models.loaded_model(id);
        Ok(local.map(|model| model.declared_facts().clone()).unwrap_or_default())
    }
}

/// Changes one property that the user sets: `name=value`, or `name=` to remove it. Names are the fields of `ProfileFacts`, in camel case or
/// with dashes or underscores.
///
/// # Errors
/// [`ErrorCode::Usage`] if the property does not exist or the value is not valid.
pub fn say_line(facts: &mut ProfileFacts, line: &str) -> Result<(), AppError> {
    let usage = |message: String, hint: String| AppError::new(ErrorCode::Usage, message).with_hint(hint);
    let (name, value) =
        line.split_once('=').ok_or_else(|| usage(tr!("'{line}' sets nothing", line), tr!("Write it as NAME=VALUE")))?;
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let known = ProfileFacts::LINES.iter().find(|known| plain(known) == plain(name.trim()));
    let known = known.ok_or_else(|| {
        usage(
            tr!("A profile has no line '{name}'", name),
            tr!("Lines are {lines}", lines = ProfileFacts::LINES.join(", ")),
        )
    })?;
    let mut lines = as_map(facts);
    let cannot =
        || usage(tr!("'{value}' is not valid for {line}", value = value.trim(), line = known), how_to_write(known));
    match value.trim() {
        "" => drop(lines.shift_remove(&to_camel_case(known))),
        text => drop(lines.insert(to_camel_case(known), parse_value(known, text).ok_or_else(cannot)?)),
    }
    *facts = serde_json::from_value(Value::Object(lines)).map_err(|_| cannot())?;
    Ok(())
}

/// Returns the syntax of a property, with an example.
fn how_to_write(line: &str) -> String {
    let one_of = |values: &str, example: &str| tr!("Write one of {values}, as in {example}", values, example);
    match line {
        "context_tokens" => tr!("Write a whole number of tokens, as in {example}", example = "context_tokens=128000"),
        "reply_tokens" => tr!("Write a whole number of tokens, as in {example}", example = "reply_tokens=16000"),
        "chunk_budget" => tr!("Write a whole number of tokens, as in {example}", example = "chunk_budget=20000"),
        "reasoning" => one_of("none, text, hidden", "reasoning=hidden"),
        "effort" => one_of(&effort_names(), "effort=low"),
        "efforts" => {
            tr!("Write some of {values}, as in {example}", values = effort_names(), example = "efforts=low,medium,high")
        }
        "endpoint" => one_of("chat, responses", "endpoint=chat"),
        "schema" => one_of("none, lenient, strict", "schema=strict"),
        "caching" => one_of("none, automatic, marked", "caching=automatic"),
        "price" => tr!(
            "Enter US dollars per million tokens for prompts, cached prompts and replies, as in {example}; a fourth value is for writing to the provider's cache",
            example = "price=2.5,0.25,15"
        ),
        _ => one_of("true, false", &format!("{line}=true")),
    }
}

/// Returns the levels of effort in their written form.
fn effort_names() -> String {
    Effort::ALL.iter().map(|level| format_value(&json!(level))).collect::<Vec<_>>().join(", ")
}

/// Checks that all values are valid for a model with this context.
///
/// # Errors
/// [`ErrorCode::Usage`] with the valid range.
fn in_range(facts: &ProfileFacts, context: u32) -> Result<(), AppError> {
    let usage =
        |message: String, line: &str| Err(AppError::new(ErrorCode::Usage, message).with_hint(how_to_write(line)));
    let lines = [
        ("context_tokens", facts.context_tokens, LEAST_CONTEXT, MOST_CONTEXT),
        ("reply_tokens", facts.reply_tokens, LEAST_REPLY, context),
        ("chunk_budget", facts.chunk_budget, LEAST_CHUNK, context),
    ];
    for (line, said, least, most) in lines {
        if let Some(said) = said.filter(|said| !(least..=most).contains(said)) {
            let [said, least, most] = [said, least, most].map(|tokens| format_number(tokens.into()));
            return usage(
                tr!("{line} cannot be {said}: the range is {least} to {most}", line, said, least, most),
                line,
            );
        }
    }
    if let Some(wrong) = facts.price.as_ref().and_then(wrong_price) {
        let most = format_number(MOST_PRICE as u64);
        return usage(
            tr!("A price cannot be {wrong}: the range is 0 to {most} dollars per million tokens", wrong, most),
            "price",
        );
    }
    Ok(())
}

/// Returns the first invalid price.
fn wrong_price(price: &Price) -> Option<f64> {
    let prices = [Some(price.input), Some(price.cached), Some(price.output), price.cache_write];
    prices.into_iter().flatten().find(|price| !(0.0..=MOST_PRICE).contains(price))
}

/// Parses a value in its command-line form: `low,high`, or prices per million tokens for input, cached input, output and, if it costs more,
/// writing to the provider's cache. Returns `None` if the form is not valid.
fn parse_value(line: &str, text: &str) -> Option<Value> {
    match line {
        "efforts" => Some(text.split(',').map(|part| part.trim().to_owned()).collect()),
        "price" => {
            let price = |part: &str| part.trim().parse::<f64>().ok().filter(|price| price.is_finite());
            let prices: Vec<f64> = text.split(',').map(price).collect::<Option<_>>()?;
            match prices[..] {
                [input, cached, output] => Some(json!({ "input": input, "cached": cached, "output": output })),
                [input, cached, output, cache_write] => {
                    Some(json!({ "input": input, "cached": cached, "output": output, "cacheWrite": cache_write }))
                }
                _ => None,
            }
        }
        _ => Some(serde_json::from_str(text).unwrap_or_else(|_| text.into())),
    }
}

/// Formats a value in its command-line form, the inverse of `parse_value`.
fn format_value(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(format_value).collect::<Vec<_>>().join(","),
        Value::Object(price) => price.values().map(format_value).collect::<Vec<_>>().join(","),
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

/// Converts a property's name to its serialized form.
fn to_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let (head, tail) = part.split_at(1.min(part.len()));
        name + &head.to_uppercase() + tail
    })
}

fn build_profile_info(id: String, profile: ModelProfile, declared: ProfileFacts, kept: KeptFacts) -> ModelProfileInfo {
    let whole = json!(profile);
    let sources = [
        (as_map(&kept.said), ProfileSource::Said),
        (as_map(&kept.probed), ProfileSource::Probed),
        (as_map(&declared), ProfileSource::Declared),
    ];
    let line = |name: &&str| {
        let key = to_camel_case(name);
        let known = sources.iter().find(|(facts, _)| facts.contains_key(&key)).map(|(_, source)| *source);
        let value = format_value(&whole[&key]);
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

fn collect_findings(probe: &Probe, declared: &ProfileFacts) -> Vec<ProfileFinding> {
    let (found, declared) = (as_map(&probe.facts), as_map(declared));
    let how = |name: &str| {
        let how = probe.how.iter().rev().find(|(line, _)| *line == name);
        how.map(|(_, how)| how.clone())
    };
    let lines = ProfileFacts::LINES.iter();
    let finding = lines.filter_map(|name| {
        let key = to_camel_case(name);
        let value = found.get(&key).map(format_value);
        let how = how(name).or_else(|| value.is_some().then(|| "the server tells it".to_owned()))?;
        Some(ProfileFinding {
            name: (*name).to_owned(),
            found: value,
            declared: declared.get(&key).map(format_value),
            how,
        })
    });
    finding.collect()
}

/// Describes the differences between found and declared properties in a sentence.
fn describe_differences(probe: &Probe, declared: &ProfileFacts) -> String {
    let otherwise: Vec<String> = collect_findings(probe, declared)
        .into_iter()
        .filter_map(|finding| {
            let (found, declared) = (finding.found?, finding.declared?);
            (found != declared).then(|| {
                tr!("{name} is {found} instead of {declared}", name = finding.name.replace('_', " "), found, declared)
            })
        })
        .collect();
    if otherwise.is_empty() {
        String::new()
    } else {
        tr!("Different from the declaration: {findings}.", findings = otherwise.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::SchemaSupport;

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
        let info = build_profile_info("m".into(), ModelProfile::default().with(&facts), ProfileFacts::default(), kept);
        let values: Vec<&str> = info.lines.iter().map(|line| line.value.as_str()).collect();
        assert_eq!(values, lines.map(|(_, value)| value));
        assert!(info.lines.iter().all(|line| line.source == ProfileSource::Said));
        say_line(&mut facts, "price=4,0.4,20,5").unwrap();
        assert_eq!(format_value(&json!(facts.price)), "4,0.4,20,5", "with what is put into a cache");
        for line in ProfileFacts::LINES {
            say_line(&mut facts, &format!("{line}=")).unwrap();
        }
        assert_eq!(facts, ProfileFacts::default());
    }

    #[test]
    fn what_this_program_decides_is_not_called_assumed() {
        let here = ModelProfile { caching: Caching::Kept, deliberates: false, ..ModelProfile::default() };
        let sources = |profile: ModelProfile, declared: ProfileFacts| -> Vec<ProfileSource> {
            let info = build_profile_info("m".into(), profile.with(&declared), declared, KeptFacts::default());
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

    #[test]
    fn a_wrong_form_is_answered_with_an_example_that_is_taken() {
        for line in ProfileFacts::LINES {
            let error = say_line(&mut ProfileFacts::default(), &format!("{line}=a lot")).unwrap_err();
            let told = format!("{} {}", error.message, error.hint.clone().unwrap_or_default());
            assert!(!told.contains("struct") && !told.contains("expected"), "{told}");
            let example =
                told.split([' ', ';']).find(|word| word.starts_with(&format!("{line}="))).expect("an example");
            let mut facts = ProfileFacts::default();
            say_line(&mut facts, example).unwrap();
            in_range(&facts, 128_000).unwrap();
            assert!(facts != ProfileFacts::default(), "{example}");
        }
        for price in
            ["price=1", "price=1,2", "price=1,2,3,4,5", "price=nan,1,1", "price=inf,1,1", "price=1,,3", "price=$1,2,3"]
        {
            let error = say_line(&mut ProfileFacts::default(), price).unwrap_err();
            assert!(error.hint.is_some_and(|hint| hint.contains("price=2.5,0.25,15")), "{price}");
        }
        for line in ["reasoning", "effort", "endpoint", "schema", "caching", "stop"] {
            let hint = how_to_write(line);
            let values =
                hint.strip_prefix("Write one of ").and_then(|hint| hint.split_once(", as in")).expect("values").0;
            for value in values.split(", ") {
                say_line(&mut ProfileFacts::default(), &format!("{line}={value}")).unwrap();
            }
        }
    }

    #[test]
    fn a_line_says_nothing_that_cannot_be() {
        let said = |line: &str| {
            let mut facts = ProfileFacts::default();
            say_line(&mut facts, line).unwrap();
            in_range(&facts, facts.context_tokens.unwrap_or(128_000))
        };
        for line in [
            "context_tokens=1024",
            "context_tokens=10000000",
            "reply_tokens=256",
            "reply_tokens=128000",
            "chunk_budget=100",
            "chunk_budget=128000",
            "price=0,0,0",
            "price=150,150,600,187.5",
        ] {
            said(line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
        }
        for (line, why) in [
            ("context_tokens=0", "1,024"),
            ("context_tokens=4000000000", "20,000,000"),
            ("reply_tokens=0", "256"),
            ("reply_tokens=999999999", "128,000"),
            ("chunk_budget=0", "100"),
            ("chunk_budget=99999999", "128,000"),
            ("price=-1,2,3", "-1"),
            ("price=1,-0.5,3", "-0.5"),
            ("price=1,2,1e9", "10,000"),
            ("price=1,2,3,-4", "-4"),
        ] {
            let error = said(line).expect_err(line);
            assert!(error.code == ErrorCode::Usage && error.message.contains(why), "{line}: {error:?}");
            assert!(error.hint.is_some_and(|hint| hint.contains("as in")), "{line}");
        }
    }
}

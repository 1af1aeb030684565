//! `vitrine models`

use crate::args::{Limit, ModelsCommand, RemoteArgs};
use crate::end::End;
use crate::input::stdin_text;
use crate::output::{format_number, print_json, print_note, print_text, sanitize_text, text_table};
use crate::stop::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use vitrine_api::{
    App, EMBEDDING_MODEL, ModelPlace, ModelProfileInfo, ModelStatus, ModelTest, Phase, ProfileLine, ProfileSource,
    Progress, RemoteModel, RemoteProvider, ServedModel, Settings, Spending, say_line,
};
use vitrine_domain::{Agent, AppError, AskSettings, Budget, Cap, CellType, EgressLevel, ErrorCode, Usage};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: ModelsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        ModelsCommand::List { json } => print_models(&app.models().await?, json),
        ModelsCommand::Pull { ids } => {
            let ids = match ids.as_slice() {
                [] => vec![app.settings().await?.default_model, EMBEDDING_MODEL.to_owned()],
                _ => ids,
            };
            for id in ids {
                pull_model(app, &id, stop).await?;
            }
        }
        ModelsCommand::Rm { id } => app.remove_model(id).await?,
        ModelsCommand::Use { id } => app.use_model(id).await?,
        ModelsCommand::Add { file } => {
            let added = app.add_gguf(file.display().to_string()).await?;
            print_note(&tr!(
                "Added {title}; make it the default with: vitrine models use {id}",
                title = added.title,
                id = added.id
            ));
            print_text(&added.id);
        }
        ModelsCommand::Test { id, json } => {
            let id = resolve_model_id(app, id).await?;
            let test = async {
                let test = app.test_model(id).await?;
                if json {
                    print_json(&test)
                } else {
                    tell_test(&test)
                }
                Ok(())
            };
            stop.or_cancelled(test).await?;
        }
        ModelsCommand::Show { id, json } => {
            let profile = app.model_profile(resolve_model_id(app, id).await?).await?;
            if json { print_json(&profile) } else { print_profile(&profile) }
        }
        ModelsCommand::Set { id, lines } => {
            let mut said = app.model_profile(id.clone()).await?.said;
            for line in &lines {
                say_line(&mut said, line)?;
            }
            print_profile(&app.set_model_profile(id, said).await?);
        }
        ModelsCommand::Spending { month, json } => print_spending(&app.spending(month).await?, json),
        ModelsCommand::Limit { usd, tokens, agent, question } => set_limit(app, usd, tokens, agent, question).await?,
        ModelsCommand::Remote(args) => add_remote_model(app, args).await?,
    }
    Ok(())
}

async fn resolve_model_id(app: &App, id: Option<String>) -> Result<String, AppError> {
    Ok(match id {
        Some(id) => id,
        None => app.settings().await?.default_model,
    })
}

/// Prints the profile of a model, one line per property.
fn print_profile(info: &ModelProfileInfo) {
    let source = |line: &ProfileLine| match line.source {
        ProfileSource::Assumed => tr!("assumed"),
        ProfileSource::Run => tr!("as run here"),
        ProfileSource::Derived => tr!("from the context"),
        ProfileSource::Declared => tr!("declared ({date})", date = info.declared_on),
        ProfileSource::Probed => tr!("tested ({date})", date = info.probed_on.as_deref().unwrap_or_default()),
        ProfileSource::Said => tr!("set by you"),
    };
    let rows: Vec<Vec<String>> =
        info.lines.iter().map(|line| vec![line.name.clone(), line.value.clone(), source(line)]).collect();
    let text = CellType::Text;
    print_text(&text_table(
        &[
            (tr!(context "heading", "line"), text),
            (tr!(context "heading", "value"), text),
            (tr!(context "heading", "source"), text),
        ],
        &rows,
    ));
}

/// Prints the findings of a test next to the declared properties.
fn tell_test(test: &ModelTest) {
    let rows: Vec<Vec<String>> = test
        .findings
        .iter()
        .map(|finding| {
            let cell = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
            vec![finding.name.clone(), cell(&finding.found), cell(&finding.declared), finding.how.clone()]
        })
        .collect();
    let text = CellType::Text;
    print_text(&text_table(
        &[
            (tr!(context "heading", "line"), text),
            (tr!(context "heading", "found"), text),
            (tr!(context "heading", "declared"), text),
            (tr!(context "heading", "how"), text),
        ],
        &rows,
    ));
    print_note(&test.said);
}

/// Prints the models of a server.
fn list_served(models: &[ServedModel], json: bool) {
    if json {
        return print_json(&models);
    }
    let rows: Vec<Vec<String>> = models
        .iter()
        .map(|model| {
            let tokens = |tokens: Option<u32>| tokens.map(|tokens| format_number(tokens.into())).unwrap_or_default();
            let price = model.facts.price.map(|price| format!("{} / {}", price.input, price.output));
            vec![
                model.id.clone(),
                tokens(model.facts.context_tokens),
                tokens(model.facts.reply_tokens),
                price.unwrap_or_default(),
                model.title.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let (text, count) = (CellType::Text, CellType::Integer);
    let head = [
        (tr!(context "heading", "model"), text),
        (tr!(context "heading", "context"), count),
        (tr!(context "heading", "reply"), count),
        (tr!(context "heading", "$ for a million in / out"), text),
        (tr!(context "heading", "title"), text),
    ];
    print_text(&text_table(&head, &rows));
}

/// Prints the spending of a month, with its limits.
fn print_spending(spending: &Spending, json: bool) {
    if json {
        return print_json(spending);
    }
    let line = |what: &str, agent: &str, usage: &Usage| {
        let tokens = [usage.llm_calls, usage.prompt_tokens, usage.cached_prompt_tokens, usage.completion_tokens];
        let head = [what.to_owned(), agent.to_owned()];
        head.into_iter().chain(tokens.map(format_number)).chain([usage.money_text()]).collect::<Vec<_>>()
    };
    let mut rows: Vec<Vec<String>> =
        spending.rows.iter().map(|row| line(&row.model, row.agent.as_str(), &row.usage)).collect();
    rows.push(line(&tr!("behind an address"), "", &spending.remote));
    rows.push(line(&tr!("on this computer"), "", &spending.local));
    let (text, count) = (CellType::Text, CellType::Integer);
    let head = [
        (spending.month.clone(), text),
        (tr!(context "heading", "agent"), text),
        (tr!(context "heading", "calls"), count),
        (tr!(context "heading", "prompt tokens"), count),
        (tr!(context "heading", "of them reused"), count),
        (tr!(context "heading", "written"), count),
        (tr!(context "heading", "money"), text),
    ];
    print_text(&text_table(&head, &rows));
    let agents =
        spending.caps.by_agent.iter().map(|(agent, cap)| (tr!("Limit of the {agent}", agent = agent.as_str()), cap));
    let limits = std::iter::once((tr!("Limit of the month"), &spending.caps.all)).chain(agents);
    for (what, cap) in limits.filter(|(_, cap)| cap.is_set()) {
        print_note(&format!("{what}: {cap}"));
    }
    if !spending.unpriced.is_empty() {
        print_note(&tr!(
            "The price of {models} is unknown: money limits do not apply to them",
            models = spending.unpriced.join(", ")
        ));
    }
}

/// Sets a monthly limit and shows the spending so far, or sets a limit per question.
async fn set_limit(
    app: &App,
    usd: Option<Limit>,
    tokens: Option<Limit>,
    agent: Option<Agent>,
    question: bool,
) -> Result<(), AppError> {
    let mut settings = app.settings().await?;
    let set = |cap: Cap| Cap {
        money: usd.map_or(cap.money, |most| most.0),
        tokens: tokens.map_or(cap.tokens, |most| most.0),
    };
    let Settings { budget, agent_budgets, monthly, .. } = &mut settings;
    match (agent, question) {
        (None, false) => monthly.all = set(monthly.all),
        (None, true) => {
            let Cap { tokens, money } = set(Cap { tokens: budget.tokens, money: budget.money });
            *budget = Budget { tokens, money, ..*budget };
        }
        (Some(agent), question) => {
            let caps = if question { agent_budgets } else { &mut monthly.by_agent };
            let cap = caps.entry(agent).or_default();
            *cap = set(*cap);
            caps.retain(|_, cap| cap.is_set());
        }
    }
    app.set_settings(settings.clone()).await?;
    if question {
        print_note(&match settings.budget.is_unlimited() {
            true => tr!("What a question may cost has no limit"),
            false => tr!("A question may cost {budget}", budget = settings.budget),
        });
        for (agent, cap) in &settings.agent_budgets {
            print_note(&tr!("The {agent} may spend {cap} on it", agent = agent.as_str(), cap));
        }
        return Ok(());
    }
    print_spending(&app.spending(None).await?, false);
    Ok(())
}

fn print_models(models: &[ModelStatus], json: bool) {
    if json {
        return print_json(&models);
    }
    let rows: Vec<Vec<String>> = models
        .iter()
        .map(|m| {
            let size = if m.kind == ModelPlace::Remote {
                String::new()
            } else {
                format!("{} MB", format_number(m.bytes / 1_000_000))
            };
            let used = if m.in_use { tr!("in use") } else { String::new() };
            vec![
                m.id.clone(),
                size,
                m.licence.clone(),
                used,
                m.detail.clone(),
                m.sources.join(", "),
                shorten_hash(m.sha256.as_deref()),
            ]
        })
        .collect();
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "model"), text),
        (tr!(context "heading", "size"), CellType::Integer),
        (tr!(context "heading", "licence"), text),
        (String::new(), text),
        (tr!(context "heading", "state"), text),
        (tr!(context "heading", "from"), text),
        ("sha256".to_owned(), text),
    ];
    print_text(&text_table(&head, &rows));
}

fn shorten_hash(sha256: Option<&str>) -> String {
    sha256.map(|hash| format!("{}…", hash.chars().take(12).collect::<String>())).unwrap_or_default()
}

async fn add_remote_model(app: &App, args: RemoteArgs) -> Result<(), AppError> {
    let provider = match args.provider.as_str() {
        "openai" => RemoteProvider::Openai,
        "azure" => RemoteProvider::Azure,
        "anthropic" => RemoteProvider::Anthropic,
        "gemini" => RemoteProvider::Gemini,
        "ollama" => RemoteProvider::Ollama,
        "lm-studio" => RemoteProvider::LmStudio,
        "vllm" => RemoteProvider::Vllm,
        _ => RemoteProvider::Other,
    };
    let key = args.key.then(stdin_text).transpose()?;
    let model = RemoteModel {
        title: String::new(),
        id: args.id.clone(),
        provider,
        base_url: args.url,
        model: args.model,
        context_tokens: args.context.unwrap_or(0),
        has_key: false,
    };
    if args.list {
        list_served(&app.served_models(model, key).await?, args.json);
        return Ok(());
    }
    // From the first remote model on, data leaves this computer.
    if app.remote_models().await?.is_empty() {
        print_note(&sent_to(&model.base_url));
        let question = format!("{} ", tr!("Add it? [Y/n]"));
        if !args.yes && crate::choice::somebody_is_there() && !ask_to_confirm(&question) {
            let hint = tr!("A model on this computer sends nothing: vitrine models list");
            return Err(AppError::new(ErrorCode::Cancelled, tr!("No model was added")).with_hint(hint));
        }
    }
    app.set_remote_model(model, key).await?;
    print_note(&tr!("Test it with: vitrine models test {id}", id = args.id));
    Ok(())
}

/// Describes the data that a model at an address receives by default.
fn sent_to(address: &str) -> String {
    let (address, level) = (sanitize_text(address, false), EgressLevel::default().display_title());
    tr!(
        "With each question {address} receives {level} of the database, unless you allow less: vitrine egress WAREHOUSE --level LEVEL. Values of columns that seem personal are masked.",
        address,
        level
    )
}

/// Downloads the models that a question lacks, with `--pull` or after the user agrees.
pub(crate) async fn offer_missing(
    app: &App,
    settings: &AskSettings,
    pull_them: bool,
    stop: &Stop,
) -> Result<(), AppError> {
    let mut needed: BTreeSet<String> = settings.agent_models.values().cloned().collect();
    needed.insert(match &settings.model {
        Some(model) => model.clone(),
        None => app.settings().await?.default_model,
    });
    let missing: Vec<_> = app
        .models()
        .await?
        .into_iter()
        .filter(|m| needed.contains(&m.id) && !m.present && !m.sources.is_empty())
        .collect();
    for model in missing {
        let question = format!(
            "{} ",
            tr!(
                "The model {model} is not installed. Download it now ({megabytes} MB)? [Y/n]",
                model = model.id,
                megabytes = format_number(model.bytes / 1_000_000)
            )
        );
        if pull_them || ask_to_confirm(&question) {
            pull_model(app, &model.id, stop).await?;
        }
    }
    Ok(())
}

/// Asks the user to confirm. Returns false without a terminal.
fn ask_to_confirm(question: &str) -> bool {
    if !crate::choice::somebody_is_there() {
        return false;
    }
    eprint!("{question}");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

/// Progress of a download: a bar on a terminal, or one line per ten percent in a log.
pub(crate) struct DownloadProgress {
    what: String,
    bar: Option<ProgressBar>,
    tenth: AtomicU64,
}

pub(crate) fn start_download_progress(what: &str) -> DownloadProgress {
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        ProgressBar::no_length().with_style(ProgressStyle::with_template(style).expect("template"))
    });
    DownloadProgress { what: what.to_owned(), bar, tenth: AtomicU64::new(0) }
}

impl DownloadProgress {
    pub(crate) fn show_progress(&self, p: &Progress) {
        let id = &self.what;
        let what = match &p.phase {
            Phase::Connecting(source) => tr!("{id}: asking {source}", id, source),
            Phase::Downloading(source) => tr!("{id} from {source}", id, source),
            Phase::Verifying => tr!("{id}: verifying", id),
            Phase::Done => return,
        };
        match &self.bar {
            Some(bar) => {
                bar.set_length(p.total);
                bar.set_position(p.downloaded);
                bar.set_message(what);
            }
            None => {
                let tenth = 1 + p.downloaded * 10 / p.total.max(1);
                if self.tenth.swap(tenth, Ordering::Relaxed) != tenth {
                    let (have, all) = (format_number(p.downloaded / 1_000_000), format_number(p.total / 1_000_000));
                    print_note(&tr!("{what}: {have} of {all} MB", what, have, all));
                }
            }
        }
    }

    pub(crate) fn clear_bar(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Pulls one model. Prints nothing if the model already exists.
async fn pull_model(app: &App, id: &str, stop: &Stop) -> Result<(), AppError> {
    let told = start_download_progress(id);
    let pulled = app.pull_and_wait(id, |p| told.show_progress(&p), stop.token()).await;
    told.clear_bar();
    pulled.map(drop)
}

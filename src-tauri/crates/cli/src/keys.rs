//! `vitrine keys`, and the keys that `vitrine schema` shows.

use crate::args::KeysArgs;
use crate::end::End;
use crate::output::{print_json, print_note, print_text, sanitize_text, text_table};
use crate::sample::announce_sample;
use vitrine_api::{App, InferredKeyRow};
use vitrine_domain::{CellType, KeyDecision};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, args: KeysArgs) -> Result<(), End> {
    let uri = args.uri.unwrap_or_default();
    announce_sample(app, &uri);
    app.whole_profile(&uri).await?;
    let confirmed = args.confirm.into_iter().map(|key| (key, Some(KeyDecision::Confirmed)));
    let struck = args.strike.into_iter().map(|key| (key, Some(KeyDecision::Struck)));
    let undecided = args.undecide.into_iter().map(|key| (key, None));
    for (key, decision) in confirmed.chain(struck).chain(undecided) {
        app.decide_key(uri.clone(), key, decision).await?;
    }
    let keys = app.inferred_keys(uri).await?;
    if args.json {
        print_json(&keys);
    } else if keys.is_empty() {
        print_note(&tr!("no keys are inferred"));
    } else {
        print_keys(&keys);
    }
    Ok(())
}

/// Prints one line for each key.
pub(crate) fn print_keys(keys: &[InferredKeyRow]) {
    let row = |row: &InferredKeyRow| {
        let decision = match row.decision {
            Some(KeyDecision::Confirmed) => tr!("confirmed"),
            Some(KeyDecision::Struck) => tr!("struck"),
            None => tr!("inferred"),
        };
        [row.id.as_str(), &decision, &format!("{:.2}", row.key.confidence), &row.key.reason]
            .map(|cell| sanitize_text(cell, false))
            .into()
    };
    let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
    let text = CellType::Text;
    print_text(&text_table(
        &[
            (tr!(context "heading", "key"), text),
            (String::new(), text),
            (tr!(context "heading", "sure"), CellType::Float),
            (tr!(context "heading", "why"), text),
        ],
        &rows,
    ));
}

//! `vitrine safety`

use crate::end::End;
use crate::output::{print_json, print_text, sanitize_text};
use crate::sample::announce_sample;
use vitrine_api::App;
use vitrine_domain::SafetyState;
use vitrine_words::tr;

/// Lists the safety layers, as text or JSON.
pub(crate) async fn run(app: &App, uri: String, json: bool) -> Result<(), End> {
    announce_sample(app, &uri);
    let layers = app.safety(uri).await?;
    if json {
        print_json(&layers);
        return Ok(());
    }
    for layer in &layers {
        let state = match layer.state {
            SafetyState::Holds => tr!("holds"),
            SafetyState::Partly => tr!("holds in part"),
            SafetyState::Missing => tr!("does not hold"),
            SafetyState::Unknown => tr!("unknown"),
        };
        print_text(&format!(
            "{}\n  {}\n  {}\n",
            tr!("{title}: {state}", title = layer.kind.display_title(), state),
            sanitize_text(&layer.says, false),
            tr!("How it is known: {how}", how = sanitize_text(&layer.how, false))
        ));
    }
    Ok(())
}

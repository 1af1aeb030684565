//! `vitrine safety`

use crate::end::End;
use crate::output::{clean, print, print_json};
use crate::sample::announce_sample;
use vitrine_api::App;
use vitrine_domain::SafetyState;

/// Lists the layers; a script reads them as JSON.
pub(crate) async fn run(app: &App, uri: String, json: bool) -> Result<(), End> {
    announce_sample(app, &uri);
    let layers = app.safety(uri).await?;
    if json {
        print_json(&layers);
        return Ok(());
    }
    for layer in &layers {
        let state = match layer.state {
            SafetyState::Holds => "holds",
            SafetyState::Partly => "holds in part",
            SafetyState::Missing => "does not hold",
            SafetyState::Unknown => "unknown",
        };
        print(&format!(
            "{}: {state}\n  {}\n  How it is known: {}\n",
            layer.kind.title(),
            clean(&layer.says, false),
            clean(&layer.how, false)
        ));
    }
    Ok(())
}

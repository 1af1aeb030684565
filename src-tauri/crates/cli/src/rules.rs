//! `vitrine rules`: lists the rules over queries.

use crate::output::print;
use vitrine_api::App;
use vitrine_domain::{AppError, Evidence};

/// Lists every rule with its example.
pub(crate) async fn list(app: &App, json: bool) -> Result<(), AppError> {
    let rules = app.rules().await?;
    if json {
        print(&serde_json::to_string_pretty(&rules).expect("plain data"));
        return Ok(());
    }
    for rule in rules {
        let evidence: Vec<&str> = rule.evidence.iter().map(|evidence: &Evidence| evidence.as_str()).collect();
        print(&format!(
            "{}  {} ({}; looks at {})\n      {}\n      before: {}\n      after:  {}",
            rule.code,
            rule.name,
            rule.applicability.as_str(),
            evidence.join(", "),
            rule.summary,
            rule.before,
            rule.after,
        ));
    }
    Ok(())
}

//! `vitrine rules`: lists the rules over queries.

use crate::output::print_text;
use vitrine_api::App;
use vitrine_domain::{AppError, Evidence};
use vitrine_words::tr;

/// Lists every rule with its example.
pub(crate) async fn print_rules(app: &App, json: bool) -> Result<(), AppError> {
    let rules = app.rules().await?;
    if json {
        print_text(&serde_json::to_string_pretty(&rules).expect("plain data"));
        return Ok(());
    }
    for rule in rules {
        let evidence: Vec<&str> = rule.evidence.iter().map(|evidence: &Evidence| evidence.as_str()).collect();
        let looks =
            tr!("{how}; examines {evidence}", how = rule.applicability.as_str(), evidence = evidence.join(", "));
        print_text(&format!("{}  {} ({looks})\n      {}", rule.code, rule.name, rule.summary));
        let before = tr!("before: {sql}", sql = rule.before);
        // In English, both texts begin in the same column.
        let after = format!("{:<8}{}", tr!("after:"), rule.after);
        print_text(&format!("      {before}\n      {after}"));
    }
    Ok(())
}

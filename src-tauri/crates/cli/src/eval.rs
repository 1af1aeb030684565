//! `vitrine eval`

use crate::End;
use crate::args::EvalCommand;
use crate::output::{note, print};
use crate::stop::Stop;
use vitrine_api::App;
use vitrine_api::eval::{EvalOptions, NamedRun, Outcome, Pack, markdown, read_results};
use vitrine_domain::{AppError, ErrorCode};

pub(crate) async fn run(app: &App, command: EvalCommand, stop: &Stop) -> Result<(), End> {
    match command {
        EvalCommand::Run { pack, out, every, offset, limit, asking } => {
            let pack = Pack::load(&pack)?;
            let settings = crate::ask::settings(app.settings().await?.for_asking(), asking);
            let options = EvalOptions { settings, every, offset, limit, out };
            let mut right = 0;
            let on_outcome = |outcome: &Outcome, done: usize, total: usize| {
                right += usize::from(outcome.spider);
                let mark = if outcome.spider { "right" } else { "wrong" };
                let seconds = outcome.usage.wall_ms as f64 / 1000.0;
                note(&format!(
                    "{done} of {total}  {mark}  {seconds:.1} s  {}  ({right} right since the start)",
                    outcome.id
                ));
            };
            let outcomes = app.evaluate(&pack, options, stop.token(), on_outcome).await?;
            if stop.token().is_cancelled() {
                return Err(AppError::new(ErrorCode::Cancelled, "Stopped")
                    .hint("The same command goes on from here")
                    .into());
            }
            print(&markdown(&pack.name, &[NamedRun { name: "run".to_owned(), outcomes }]));
        }
        EvalCommand::Report { pack, runs } => {
            let mut named = Vec::new();
            for (name, folder) in runs {
                named.push(NamedRun { name, outcomes: read_results(&folder.join("results.jsonl"))? });
            }
            print(&markdown(&pack, &named));
        }
    }
    Ok(())
}

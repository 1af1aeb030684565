//! Analysis of fetched views (ProSPy, 3.4): Python in a sandbox, with errors returned to the model and a bounded number of executions. The
//! answer is a table.

use crate::attempt::context::AttemptContext;
use crate::attempt::declined::{Declined, parse_declined};
use crate::attempt::reply::is_same_query_text;
use crate::attempt::views::Fetched;
use crate::prompt::prospy::{Analyse, AnalystSystem};
use crate::prompt::reply::code_alone;
use crate::prompt::{OneForAll, Prompt, request};
use crate::run::events::{StageError, sample_page};
use crate::run::nodes;
use crate::run::sandbox::{Analysed, Analysis, AnalysisError, AnalysisSandbox};
use vitrine_domain::{Agent, Catalog, EventBody, Page, StageKind};
use vitrine_llm::{LlmError, Request};
use vitrine_words::{plural, tr};

/// Number of characters of printed output that the log keeps and that the next request contains.
const PRINTED: usize = 2_000;

/// Lets the model write code over the views and runs it, at most `executions` times. Returns `None` if no code returned a table, or if the
/// model reports that the views lack the requested data; the caller then needs another analysis.
///
/// # Errors
/// Fails if the model fails or the run is stopped.
pub async fn analyse_views(
    attempts: &AttemptContext<'_>,
    sandbox: &dyn AnalysisSandbox,
    task: &Analyse<'_>,
    views: &[Fetched],
    executions: u32,
) -> Result<Option<Analysis>, StageError> {
    let context = attempts.context;
    context.begin_stage(nodes::ANALYSIS, StageKind::Analysis, tr!("Analyse in Python"), attempts.inputs);
    let profile = context.model(Agent::Analyst).profile();
    let names: Vec<String> = views.iter().map(|view| view.name.clone()).collect();
    let system = match profile.deliberates {
        true => AnalystSystem {}.render(),
        // A small model was measured with the system text of all other requests.
        false => request::opening_request(context.ask.data.catalog.dialect, "").system,
    };
    let request = Request { system, tail: task.render_for(&profile), ..Request::default() };
    let request = code_alone(&request, &profile);
    // Table without a value, which the model was asked to check.
    let mut void: Option<Analysis> = None;
    let mut turns = Vec::new();
    let mut tried = String::new();
    for execution in 1..=executions {
        let call = Request {
            turns: std::mem::take(&mut turns),
            temperature: if execution == 1 { 0.0 } else { 0.5 },
            seed: context.ask.options.settings.seed + u64::from(execution),
            ..request.clone()
        };
        let replies = context.call_model(Agent::Analyst, nodes::ANALYSIS, call).await?;
        if let Some(declined) =
            profile.deliberates.then(|| parse_code_declined(replies.first_reply(), &context.ask.data.catalog)).flatten()
        {
            declined.record_event(context, nodes::ANALYSIS, execution);
            break;
        }
        let code = if profile.deliberates { last_block(replies.first_reply()) } else { code_of(replies.first_reply()) }
            .to_owned();
        if is_same_query_text(&tried, &code) && void.is_some() {
            break;
        }
        if is_same_query_text(&tried, &code) {
            context.warn(
                Some(nodes::ANALYSIS),
                tr!("The model wrote the same code again: it is not executed a second time"),
            );
            break;
        }
        let outcome = if reads_any(&code, &names) {
            sandbox.run_code(&code, &names, context.ask.options.settings.row_limit, context.cancel.clone()).await
        } else {
            // Such code would compute from the few rows that the prompt shows.
            let names = names.join(", ");
            Err(AnalysisError::of_code(format!("the code reads none of the loaded DataFrames: use {names} as it is")))
        };
        let doubt = outcome.as_ref().ok().and_then(|analysed| without_value(&analysed.page));
        // The answer may have no value, so the model is asked only once.
        let doubt = doubt.filter(|_| profile.deliberates && void.is_none() && execution < executions);
        emit_execution(attempts, execution, &code, &outcome, doubt);
        match (outcome, doubt) {
            (Ok(Analysed { page, printed }), Some(doubt)) => {
                let printed = observe_output(attempts, &printed);
                let feedback = format!(
                    "It ran, but {doubt}. {printed}Check the conditions, the columns that tables are merged by, and how \
                     texts, numbers and dates are read. If it is right as it is, write it again unchanged; else write \
                     the corrected program."
                );
                turns = vec![(format!("```python\n{code}\n```"), feedback)];
                tried.clone_from(&code);
                void = Some(Analysis { code, page });
            }
            (Ok(Analysed { page, .. }), None) => {
                context.finish_stage(nodes::ANALYSIS, plural!(page.row_count, "{n} row", "{n} rows"));
                return Ok(Some(Analysis { code, page }));
            }
            (Err(AnalysisError::Cancelled), _) => return Err(LlmError::Cancelled.into()),
            (Err(AnalysisError::Unavailable(why)), _) => {
                context.warn_aside(Some(nodes::ANALYSIS), tr!("Python cannot be run here: {why}", why));
                break;
            }
            (Err(AnalysisError::Code { error, printed }), _) => {
                let printed = observe_output(attempts, &printed);
                let feedback = format!("It failed: {error}\n{printed}Write the corrected code.");
                turns = vec![(format!("```python\n{code}\n```"), feedback)];
                tried = code;
            }
        }
    }
    context.finish_stage(nodes::ANALYSIS, if void.is_some() { tr!("No value") } else { tr!("No table") });
    Ok(void)
}

/// Returns the printed output of a program for the next request, as far as the egress policy allows it, followed by a line break. A small
/// model, whose prompt forbids printing, reads none.
fn observe_output(attempts: &AttemptContext<'_>, printed: &str) -> String {
    let context = attempts.context;
    if !context.model(Agent::Analyst).profile().deliberates || printed.trim().is_empty() {
        return String::new();
    }
    let Some(shown) = context.egress.show_output(printed.trim()) else { return String::new() };
    let more = if shown.chars().count() > PRINTED { "\n..." } else { "" };
    let shown: String = shown.chars().take(PRINTED).collect();
    format!("It printed:\n{shown}{more}\n")
}

/// Describes for the model why a table contains no values.
fn without_value(page: &Page) -> Option<&'static str> {
    let missing = |cell: &Option<String>| cell.as_deref().is_none_or(|text| text.eq_ignore_ascii_case("nan"));
    if page.rows.is_empty() {
        return Some("the result has no rows");
    }
    page.rows.iter().flatten().all(missing).then_some("every value of the result is missing")
}

/// Opening lines of a code block.
const FENCES: [&str; 3] = ["```python\n", "```py\n", "```Python\n"];

/// Reads from a reply the data that the tables lack. A reply with code never declines, whatever its other text.
fn parse_code_declined(reply: &str, catalog: &Catalog) -> Option<Declined> {
    let has_code = FENCES.iter().any(|fence| reply.contains(fence));
    (!has_code).then(|| parse_declined(reply, catalog)).flatten()
}

/// Returns the code in the last fence of a reply that reasons first.
fn last_block(reply: &str) -> &str {
    let last = FENCES.iter().filter_map(|fence| reply.rfind(fence)).max();
    code_of(last.map_or(reply, |at| &reply[at..]))
}

/// Returns the code of a reply: the content of a fence, or the text before one.
fn code_of(reply: &str) -> &str {
    let fenced = FENCES.iter().find_map(|fence| reply.split_once(fence)).map(|(_, rest)| rest);
    let code = fenced.unwrap_or(reply);
    code.split("\n```").next().unwrap_or(code).trim_end().trim_end_matches("```").trim_end()
}

/// Returns true if code reads one of the tables: it uses the name outside of quotes and comments, neither as an attribute nor as a keyword
/// argument, before it assigns to the name.
fn reads_any(code: &str, names: &[String]) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    for line in code.lines() {
        let bare: String = line.split(['\'', '"']).step_by(2).collect::<Vec<_>>().join("''");
        let mut rest = bare.split('#').next().unwrap_or_default();
        let mut given = None;
        let mut first = true;
        while let Some(at) = rest.find(inside) {
            let attribute = rest[..at].ends_with('.');
            let after = rest[at..].find(|c| !inside(c)).map_or(rest.len(), |end| at + end);
            let word = &rest[at..after];
            rest = &rest[after..];
            let bound = rest.trim_start().strip_prefix('=').is_some_and(|value| !value.starts_with('='));
            let table = names.contains(&word) && !attribute;
            if table && !bound {
                return true;
            }
            given = given.or((table && first).then_some(word));
            first = false;
        }
        names.retain(|name| Some(*name) != given);
    }
    false
}

fn emit_execution(
    attempts: &AttemptContext<'_>,
    execution: u32,
    code: &str,
    outcome: &Result<Analysed, AnalysisError>,
    doubt: Option<&str>,
) {
    let page = outcome.as_ref().ok().map(|analysed| sample_page(&analysed.page));
    let printed = match outcome {
        Ok(Analysed { printed, .. }) | Err(AnalysisError::Code { printed, .. }) => printed.as_str(),
        Err(_) => "",
    };
    attempts.context.emit(EventBody::Analysed {
        node: nodes::ANALYSIS.to_owned(),
        execution,
        code: code.to_owned(),
        printed: printed.chars().take(PRINTED).collect(),
        error: outcome.as_ref().err().map(ToString::to_string).or(doubt.map(str::to_owned)),
        page,
    });
}

#[cfg(test)]
mod tests {
    use super::{code_of, last_block, reads_any, without_value};
    use vitrine_domain::Page;

    #[test]
    fn code_is_found_in_its_fence() {
        for reply in [
            "result = a.head()",
            "result = a.head()\n```\nThis takes the first rows.",
            "Here it is:\n```python\nresult = a.head()\n```\nDone.",
            "```py\nresult = a.head()\n```",
        ] {
            assert_eq!(code_of(reply), "result = a.head()", "{reply}");
        }
    }

    #[test]
    fn the_last_program_of_a_reply_that_reasons_is_run() {
        let reply =
            "First:\n```python\nresult = a\n```\nBut rows repeat, so:\n```python\nresult = a.head()\n```\nDone.";
        assert_eq!(last_block(reply), "result = a.head()");
        assert_eq!(last_block("result = a"), "result = a");
    }

    #[test]
    fn a_table_of_missing_values_says_nothing() {
        let page = |cells: &[Option<&str>]| Page {
            rows: cells.iter().map(|cell| vec![cell.map(str::to_owned)]).collect(),
            ..Page::default()
        };
        assert!(without_value(&page(&[])).is_some());
        assert!(without_value(&page(&[None, Some("NaN")])).is_some());
        assert!(without_value(&page(&[None, Some("0")])).is_none());
    }

    #[test]
    fn code_that_makes_its_own_data_reads_no_table() {
        let names = ["sales".to_owned()];
        assert!(reads_any("result = sales.groupby('region').sum()", &names));
        assert!(reads_any("sales = sales[sales['region'] == 'EU']\nresult = sales", &names));
        assert!(reads_any("sales['share'] = 1\nresult = pd.DataFrame(sales)", &names));
        assert!(reads_any("if sales == 3: pass", &names));
        assert!(!reads_any("sales_df = pd.DataFrame({'sales': [1]})\n# sales\nresult = sales_df", &names));
        assert!(!reads_any("sales = pd.DataFrame({'n': [12000]})\nresult = sales", &names));
        assert!(!reads_any("df = pd.DataFrame(dict(sales=[1]))\nresult = df.sales", &names));
    }
}

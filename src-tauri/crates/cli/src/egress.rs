//! `vitrine egress`, and the requests of a run.

use crate::args::EgressArgs;
use crate::end::End;
use crate::output::{format_number, print_json, print_note, print_text, sanitize_text, text_table};
use crate::sample::announce_sample;
use serde_json::json;
use vitrine_api::App;
use vitrine_domain::{AppError, CellType, ErrorCode, EventBody, RunEvent};
use vitrine_words::{plural, tr};

/// Shows the egress policy of a warehouse, and changes it if the arguments require it.
pub(crate) async fn run(app: &App, args: EgressArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    let mut info = app.egress(args.uri.clone()).await?;
    let mut policy = info.policy.clone();
    policy.level = args.level.unwrap_or(policy.level);
    policy.mask_personal = args.mask_personal.unwrap_or(policy.mask_personal);
    let named = [&args.mask, &args.allow, &args.unset].into_iter().flatten();
    for name in named {
        let is_other = |listed: &String| !listed.eq_ignore_ascii_case(name);
        policy.masked.retain(is_other);
        policy.allowed.retain(is_other);
    }
    policy.masked.extend(args.mask);
    policy.allowed.extend(args.allow);
    if policy != info.policy {
        info = app.set_egress(args.uri, policy).await?;
    }
    if args.json {
        print_json(&info);
        return Ok(());
    }
    let level = info.policy.level;
    print_text(&tr!("Remote models receive: {level} ({code})", level = level.display_title(), code = level.as_str()));
    if info.personal.is_empty() {
        print_note(&tr!("no column seems to contain personal data, according to the rows that were read"));
        return Ok(());
    }
    let rows: Vec<Vec<String>> = (info.personal.into_iter())
        .map(|column| {
            let told = if column.masked { tr!("masked") } else { tr!("told") };
            vec![format!("{}.{}", column.table, column.column), column.kind.display_title().to_owned(), told]
        })
        .collect();
    let text = CellType::Text;
    print_text(&text_table(
        &[
            (tr!(context "heading", "column"), text),
            (tr!(context "heading", "looks like"), text),
            (tr!(context "heading", "is"), text),
        ],
        &rows,
    ));
    Ok(())
}

/// Lists the requests of a run, or writes the body of one of them without changes.
pub(crate) fn print_sent_requests(events: &[RunEvent], request: Option<usize>, as_json: bool) -> Result<(), End> {
    let sent = events.iter().filter_map(|event| match &event.body {
        EventBody::RequestSent { node, to, body, values_of, .. } => Some((event.at_ms, node, to, body, values_of)),
        _ => None,
    });
    let sent: Vec<_> = sent.collect();
    if let Some(request) = request {
        match request.checked_sub(1).and_then(|at| sent.get(at)) {
            // The provider received these bytes; on a terminal, control characters are removed.
            Some((.., body, _)) => print_text(&sanitize_text(body, true)),
            None => {
                let message = plural!(
                    sent.len(),
                    "The run sent {n} request, and none with the number {request}",
                    "The run sent {n} requests, and none with the number {request}",
                    request
                );
                return Err(AppError::new(ErrorCode::NotFound, message)
                    .with_hint(tr!("List them without --request"))
                    .into());
            }
        }
        return Ok(());
    }
    if as_json {
        let all = sent.iter().map(|(at_ms, node, to, body, values_of)| {
            json!({ "atMs": at_ms, "node": node, "to": to, "bytes": body.len(), "valuesOf": values_of, "body": body })
        });
        print_json(&all.collect::<Vec<_>>());
        return Ok(());
    }
    if sent.is_empty() {
        print_note(&tr!(
            "nothing was sent: the models ran on this computer, or the run is older than the record of requests"
        ));
        return Ok(());
    }
    let rows: Vec<Vec<String>> = (sent.iter().zip(1..))
        .map(|((at_ms, node, to, body, values_of), at)| {
            let seconds = format!("{:.1}", f64::from(*at_ms) / 1000.0);
            vec![
                at.to_string(),
                seconds,
                node.to_string(),
                (*to).clone(),
                format_number(body.len() as u64),
                values_of.join(", "),
            ]
        })
        .collect();
    let (text, whole) = (CellType::Text, CellType::Integer);
    let head = [
        (tr!(context "heading", "request"), whole),
        (tr!(context "heading", "seconds"), whole),
        (tr!(context "heading", "step"), text),
        (tr!(context "heading", "to"), text),
        (tr!(context "heading", "bytes"), whole),
        (tr!(context "heading", "values of"), text),
    ];
    print_text(&text_table(&head, &rows));
    Ok(())
}

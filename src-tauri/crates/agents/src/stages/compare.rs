//! Selection among candidates of several generators (CHASE-SQL, 3.5, Algorithm 3): all pairs of results are compared in both orders.
//! Candidates with the same result need no comparison (the paper counts their pair as won), so the judge sees only one candidate of each
//! result, with the rows that the other one lacks.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::vote::{count_votes, order_counts};
use crate::certainty::{ComparedQuestion, choose_by_points, count_points};
use crate::choice::accept::{accept_choice, warn_no_majority};
use crate::choice::condition_probes::probe_conditions;
use crate::choice::pairwise::{JudgeInput, judge_request, judged_query, prefers_first};
use crate::prompt::format::letters_of_each;
use crate::prompt::methods::Rank;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{JudgedQuery, Prompt};
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::events::StageError;
use crate::run::nodes;
use futures::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use vitrine_domain::{Agent, Cluster, EventBody, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr, translate_constant};

/// Method of choosing the answer among candidates (paper, table 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// Compares all pairs of results in both orders (Algorithm 3).
    Pairwise,
    /// Takes the most common result.
    SelfConsistency,
    /// Ranks all results in one call.
    Ranker,
    /// Compares all pairs, and weighs comparisons and votes as fitted to judged results.
    Learned,
}

#[derive(Deserialize)]
struct Best {
    #[serde(default, alias = "thinking")]
    reason: String,
    best: u32,
}

/// Chooses among candidates with the method `select`; by default a model that deliberates compares pairs. Only the `compared` most common
/// results take part. `ran` must not be empty; the inputs of `attempts` are the nodes that wrote them.
///
/// # Errors
/// Fails if the model fails.
pub async fn compare_candidates(
    attempts: &AttemptContext<'_>,
    case: JudgeInput<'_>,
    mut ran: Vec<Candidate>,
    select: Option<Selection>,
    compared: u32,
) -> Result<Candidate, StageError> {
    let attempts = AttemptContext { node: nodes::CHOICE, title: later!("Choose between the results"), ..*attempts };
    let settings = &attempts.context.ask.options.settings;
    attempts.context.begin_stage(nodes::CHOICE, StageKind::Choice, translate_constant(attempts.title), attempts.inputs);
    let ordered = attempts.contract.ordered || order_counts(&ran);
    let mut clusters = count_votes(&ran, ordered).clusters;
    // A model that does not deliberate prefers the first or the shorter result, against the majority.
    let deliberates = attempts.context.model(Agent::Judge).profile().deliberates;
    let select = match select {
        _ if !settings.is_enabled(Switch::Judge) => Selection::SelfConsistency,
        Some(select) => select,
        None if deliberates => Selection::Pairwise,
        None => Selection::SelfConsistency,
    };
    if deliberates && select != Selection::SelfConsistency {
        // A doubt about a result does not decide the comparison, so the result takes part like any other.
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.candidates.len()));
    } else if clusters[0].suspicious.is_none() {
        // Empty results are compared only if all results are empty, because a small model prefers short results.
        clusters.retain(|cluster| cluster.suspicious.is_none());
    }
    clusters.truncate(compared as usize);
    let of = ran.len();
    let mut probes = Vec::new();
    if deliberates && select != Selection::SelfConsistency && clusters.len() > 1 {
        probes = probe_conditions(&attempts, &mut ran).await?;
    }
    let case = JudgeInput { probes: &probes, ..case };
    let selector = attempts.context.ask.options.calibration.selector.as_ref();
    let select = match selector {
        None if select == Selection::Learned && clusters.len() > 1 => {
            let message = tr!("Too few judged answers to learn from: results are chosen by pairwise comparison alone");
            attempts.context.warn_aside(Some(nodes::CHOICE), message);
            Selection::Pairwise
        }
        _ => select,
    };
    let best = match select {
        _ if clusters.len() == 1 => 0,
        // Results are ranked by their votes.
        Selection::SelfConsistency => 0,
        Selection::Ranker => rank_results(&attempts, case, &ran, &clusters).await?,
        Selection::Pairwise | Selection::Learned => {
            let wins = run_tournament(&attempts, case, &ran, &clusters).await?;
            let compared = ComparedQuestion { clusters: &clusters, wins: &wins };
            match selector.filter(|_| select == Selection::Learned) {
                Some(selector) => selector.choose(compared),
                None => choose_by_points(&count_points(&clusters, &wins)),
            }
        }
    };
    let votes = clusters[best].candidates.len() as u32;
    let reason = match select {
        _ if clusters.len() == 1 => tr!("{votes} of {of} queries that ran, and no other result", votes, of),
        Selection::SelfConsistency => tr!("The most common result, {votes} of {of} queries", votes, of),
        Selection::Pairwise => tr!("Most points in comparison, {votes} of {of} queries", votes, of),
        Selection::Ranker => tr!("Ranked first, {votes} of {of} queries", votes, of),
        Selection::Learned => tr!("Most probable by comparison and votes, {votes} of {of} queries", votes, of),
    };
    warn_no_majority(&attempts, votes, of as u32);
    let index = candidate_index(&ran, &clusters[best]);
    Ok(accept_choice(&attempts, ran, &Choice { index, votes }, reason))
}

fn candidate_index(ran: &[Candidate], cluster: &Cluster) -> usize {
    ran.iter().position(|c| c.number == cluster.candidates[0]).expect("a cluster is of candidates that ran")
}

/// Compares all pairs of results in both orders; returns how often the result of each row won against the result of each column.
async fn run_tournament(
    attempts: &AttemptContext<'_>,
    case: JudgeInput<'_>,
    ran: &[Candidate],
    clusters: &[Cluster],
) -> Result<Vec<Vec<u32>>, StageError> {
    let pairs = (0..clusters.len()).flat_map(|one| (0..clusters.len()).map(move |other| (one, other)));
    let verdicts: Vec<(usize, usize, Option<bool>)> =
        futures::stream::iter(pairs.filter(|(first, second)| first != second))
            .map(async |(first, second)| {
                let (a, b) =
                    (&ran[candidate_index(ran, &clusters[first])], &ran[candidate_index(ran, &clusters[second])]);
                let prefers = prefers_first(attempts, case, a, b).await?;
                Ok::<_, StageError>((first, second, prefers))
            })
            .buffered(CALLS_AT_ONCE)
            .try_collect()
            .await?;
    let mut wins = vec![vec![0; clusters.len()]; clusters.len()];
    for (first, second, prefers) in verdicts {
        match prefers {
            Some(true) => wins[first][second] += 1,
            Some(false) => wins[second][first] += 1,
            None => {}
        }
    }
    attempts.context.emit(EventBody::Compared {
        node: nodes::CHOICE.to_owned(),
        clusters: clusters.to_vec(),
        wins: wins.clone(),
        scores: count_points(clusters, &wins),
    });
    Ok(wins)
}

/// Ranks all results in one call (paper, table 6, ranker agent).
async fn rank_results(
    attempts: &AttemptContext<'_>,
    case: JudgeInput<'_>,
    ran: &[Candidate],
    clusters: &[Cluster],
) -> Result<usize, StageError> {
    let profile = attempts.context.model(Agent::Judge).profile();
    let letters = letters_of_each(&profile, &attempts.context.egress, clusters.len());
    let queries: Vec<JudgedQuery> = (0..clusters.len())
        .map(|index| {
            // Distinguishing rows are absent from the leading result; for the leader, absent from the second one.
            let other = usize::from(index == 0);
            judged_query(
                &attempts.context.egress,
                letters,
                &ran[candidate_index(ran, &clusters[index])],
                &ran[candidate_index(ran, &clusters[other])],
            )
        })
        .collect();
    let dialect = attempts.context.ask.data.catalog.dialect.sql().display_name();
    let JudgeInput { question, facts, probes, .. } = case;
    let compared: Vec<&Candidate> = clusters.iter().map(|cluster| &ran[candidate_index(ran, cluster)]).collect();
    let request = Request {
        tail: Rank { question, facts, values: attempts.values, dialect, queries: &queries, probes }
            .render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Choice),
        output: ReplyFormat(&profile)
            .reasoned_schema("ranking", json!({ "best": { "enum": (1..=clusters.len()).collect::<Vec<_>>() } })),
        ..judge_request(attempts, case, &compared)
    };
    let replies = attempts.context.call_model(Agent::Judge, nodes::CHOICE, request).await?;
    let Ok(reply) = vitrine_llm::parse_json::<Best>(replies.first_reply()) else { return Ok(0) };
    let best = (reply.best as usize).clamp(1, clusters.len()) - 1;
    let numbers: Vec<u32> = compared.iter().map(|candidate| candidate.number).collect();
    attempts.context.record_reason(nodes::CHOICE, Agent::Judge, (&numbers, Some(numbers[best])), &reply.reason);
    Ok(best)
}

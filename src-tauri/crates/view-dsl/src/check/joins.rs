//! Builds the joins of a view: a tree of sources, from the spec's joins and the catalog's foreign keys.

use super::comparable::check_comparable;
use super::keys::{Pairs, find_key_links, spoken_of, swap_pairs};
use super::problem::join_names;
use super::scope::{Column, Member, Problems, Scope, find_members, resolve_column};
use crate::model::plan::{Link, Source};
use vitrine_domain::views::{JoinKind, ViewJoin};
use vitrine_sql::DialectExt;

/// A join between two members.
struct Edge {
    left: usize,
    right: usize,
    kind: JoinKind,
    on: Pairs,
    /// True if the join is not in the spec, so that it may also become an outer join.
    implied: bool,
}

/// Returns the sources in join order; `None` if a problem with them was reported.
pub(crate) fn resolve_sources<'a>(scope: &Scope<'a>, problems: &mut Problems<'_>) -> Option<Vec<Source<'a>>> {
    let members = collect_members(scope, problems)?;
    let before = problems.found.len();
    let mut edges: Vec<Edge> = Vec::new();
    let spec = problems.spec;
    for join in &spec.joins {
        match resolve_join(join, &members, &edges, scope) {
            Ok(Drawn::New(edge)) => edges.push(edge),
            Ok(Drawn::Longer(at, pairs)) => edges[at].on.extend(pairs),
            Err(message) => problems.add_problem("joins", message),
        }
    }
    if problems.found.len() > before {
        return None;
    }
    let completed = complete_joins(&members, &mut edges, scope);
    problems.unwrap_or_report("joins", completed)?;
    let alone = check_exclusive_joins(&members, &edges);
    problems.unwrap_or_report("joins", alone)?;
    let placed = order_sources(&members, &edges);
    problems.unwrap_or_report("joins", placed)
}

fn collect_members<'a>(scope: &Scope<'a>, problems: &mut Problems<'_>) -> Option<Vec<Member<'a>>> {
    let spec = problems.spec;
    let written = &spec.source;
    if written.is_empty() {
        problems.add_problem("source", "A view needs one table at least.");
        return None;
    }
    let mut members: Vec<Member<'a>> = Vec::new();
    let mut complete = true;
    for source in written {
        let found = scope.source(source);
        let Some(rows) = problems.unwrap_or_report("source", found) else {
            complete = false;
            continue;
        };
        let alias = source.alias.clone().filter(|a| !a.trim().is_empty()).unwrap_or_else(|| rows.name.name.clone());
        if members.iter().any(|m| m.is_called(&alias)) {
            complete = false;
            problems.add_problem("source", format!("Two sources are called {alias}. Give one another alias."));
        }
        members.push(Member { alias, rows });
    }
    complete.then_some(members)
}

enum Drawn {
    New(Edge),
    /// Adds further pairs to an existing join of two sources.
    Longer(usize, Pairs),
}

fn resolve_join(join: &ViewJoin, members: &[Member<'_>], edges: &[Edge], scope: &Scope<'_>) -> Result<Drawn, String> {
    let find = |name: &str| match find_members(members, name).as_slice() {
        [one] => Ok(*one),
        [] => {
            let aliases: Vec<String> = members.iter().map(|m| m.alias.clone()).collect();
            Err(format!("{name} is not among the sources. There is {}.", join_names(&aliases)))
        }
        _ => Err(format!("{name} is a source several times. Name it by its alias.")),
    };
    if join.kind == JoinKind::Full && !scope.catalog.dialect.sql().has_full_join() {
        let dialect = scope.catalog.dialect.sql().display_name();
        return Err(format!(
            "{dialect} has no full join. Keep the rows of one side with a left join, or make two views."
        ));
    }
    let (left, right) = (find(&join.left)?, find(&join.right)?);
    let (a, b) = (&members[left], &members[right]);
    if left == right {
        return Err(format!("{} is joined with itself. Name it twice among the sources, by two aliases.", a.alias));
    }
    let known = edges.iter().position(|e| (e.left, e.right) == (left, right) || (e.left, e.right) == (right, left));
    if known.is_none() && is_connected(left, right, edges) {
        let (a, b) = (&a.alias, &b.alias);
        return Err(format!("{a} and {b} are already joined through others. Leave this join out."));
    }
    let mut on = Pairs::new();
    for (one, other) in &join.on {
        on.push(resolve_column_pair(one, other, left, right, members, scope)?);
    }
    if on.is_empty() {
        let mut ways = find_possible_links(a, b, scope);
        if ways.len() > 1 && a.rows.table.is_some() && a.rows.name == b.rows.name {
            // For a self-referencing table, the left source refers to the right one.
            ways.truncate(ways.len() / 2);
        }
        on = match ways.as_slice() {
            [one] => one.clone(),
            [] => return Err(describe_missing_link(a, b, scope)),
            several => return Err(describe_ambiguous_link(a, b, several)),
        };
    }
    match known {
        Some(at) if edges[at].left == left => Ok(Drawn::Longer(at, on)),
        Some(at) => Ok(Drawn::Longer(at, swap_pairs(on))),
        None => Ok(Drawn::New(Edge { left, right, kind: join.kind, on, implied: false })),
    }
}

/// Returns the possible links of two sources: the one that an alias names, or all.
fn find_possible_links(a: &Member<'_>, b: &Member<'_>, scope: &Scope<'_>) -> Vec<Pairs> {
    let all = find_key_links(&a.rows, &b.rows, scope.catalog);
    let spoken: Vec<Pairs> = all.iter().filter(|on| spoken_of(on, a, b)).cloned().collect();
    if spoken.len() == 1 { spoken } else { all }
}

/// Resolves a pair of columns, also if its sides are exchanged.
fn resolve_column_pair(
    one: &str,
    other: &str,
    left: usize,
    right: usize,
    members: &[Member<'_>],
    scope: &Scope<'_>,
) -> Result<(String, String), String> {
    let of = |name: &str, at: usize| -> Result<Column, String> {
        let own = members[at].rows.relation.column(name);
        match own {
            Some(own) => Ok(Column { member: at, name: own.name.clone() }),
            None => resolve_column(name, members, scope, &|_| false).and_then(|c| {
                let there = || Err(format!("{name} is no column of {}.", members[at].alias));
                if c.member == at { Ok(c) } else { there() }
            }),
        }
    };
    let straight = of(one, left).and_then(|a| Ok((a, of(other, right)?)));
    let (a, b) = match straight {
        Ok(pair) => pair,
        Err(message) => match (of(other, left), of(one, right)) {
            (Ok(a), Ok(b)) => (a, b),
            _ => return Err(message),
        },
    };
    let known = |c: &Column| members[c.member].rows.relation.column(&c.name);
    if let (Some(first), Some(second)) = (known(&a), known(&b)) {
        check_comparable((&a.name, first), (&b.name, second), scope)?;
    }
    Ok((a.name, b.name))
}

fn is_connected(a: usize, b: usize, edges: &[Edge]) -> bool {
    let mut reached = vec![a];
    while let Some(next) = edges.iter().find_map(|e| match (reached.contains(&e.left), reached.contains(&e.right)) {
        (true, false) => Some(e.right),
        (false, true) => Some(e.left),
        _ => None,
    }) {
        reached.push(next);
    }
    reached.contains(&b)
}

/// Joins the remaining sources along the only key that leads to them.
fn complete_joins(members: &[Member<'_>], edges: &mut Vec<Edge>, scope: &Scope<'_>) -> Result<(), String> {
    loop {
        let (mut inside, outside): (Vec<usize>, Vec<usize>) =
            (0..members.len()).partition(|&at| is_connected(0, at, edges));
        if outside.is_empty() {
            return Ok(());
        }
        inside.retain(|&at| !is_absent(at, edges));
        let mut refusal = None;
        let mut found = None;
        for &right in &outside {
            let ways = |left: usize| find_possible_links(&members[left], &members[right], scope);
            let mut all: Vec<(usize, Pairs)> =
                inside.iter().flat_map(|&left| ways(left).into_iter().map(move |on| (left, on))).collect();
            let spoken = |(left, on): &(usize, Pairs)| spoken_of(on, &members[*left], &members[right]);
            if let Some(one) = all.iter().position(spoken).filter(|_| all.iter().filter(|way| spoken(way)).count() == 1)
            {
                all = vec![all.swap_remove(one)];
            }
            match all.as_slice() {
                [(left, on)] => {
                    found = Some(Edge { left: *left, right, kind: JoinKind::Inner, on: on.clone(), implied: true });
                    break;
                }
                [] => {}
                [(left, _), ..] => {
                    let ways: Vec<Pairs> = all.iter().filter(|(l, _)| l == left).map(|(_, on)| on.clone()).collect();
                    let of = |l: &usize| members[*l].alias.as_str();
                    refusal = refusal.or_else(|| {
                        Some(if ways.len() > 1 {
                            describe_ambiguous_link(&members[*left], &members[right], &ways)
                        } else {
                            let names: Vec<&str> = all.iter().map(|(l, _)| of(l)).collect();
                            let right = &members[right].alias;
                            format!(
                                "{right} could be joined with each of {}. Say in joins which is meant.",
                                join_names(&names)
                            )
                        })
                    });
                }
            }
        }
        match found {
            Some(edge) => edges.push(edge),
            None => {
                return Err(refusal.unwrap_or_else(|| describe_missing_link(&members[0], &members[outside[0]], scope)));
            }
        }
    }
}

fn describe_missing_link(a: &Member<'_>, b: &Member<'_>, scope: &Scope<'_>) -> String {
    let between = scope.find_linking_tables(&a.rows, &b.rows);
    let (one, other) = (&a.alias, &b.alias);
    let way = match (between.as_slice(), find_shared_key_name(a, b)) {
        ([], Some((left, right))) => format!("If {one}.{left} and {other}.{right} are the same, say so in joins."),
        ([], None) => "Give the columns in joins, or make two views.".to_owned(),
        (names, _) => format!("{} links them: add it to the sources.", join_names(names)),
    };
    format!("No foreign key links {one} and {other}. {way}")
}

/// Returns a column name that both have and that is a key of one of them.
fn find_shared_key_name(a: &Member<'_>, b: &Member<'_>) -> Option<(String, String)> {
    let is_key = |m: &Member<'_>, name: &str| {
        m.rows.relation.keys.iter().any(|k| matches!(k.as_slice(), [key] if key.eq_ignore_ascii_case(name)))
    };
    a.rows.relation.columns.iter().find_map(|own| {
        let other = b.rows.relation.column(&own.name)?;
        (is_key(a, &own.name) || is_key(b, &own.name)).then(|| (own.name.clone(), other.name.clone()))
    })
}

fn describe_ambiguous_link(a: &Member<'_>, b: &Member<'_>, ways: &[Pairs]) -> String {
    let written = |pairs: &Pairs| {
        let pairs = pairs.iter().map(|(l, r)| format!("{}.{l} = {}.{r}", a.alias, b.alias));
        pairs.collect::<Vec<_>>().join(" and ")
    };
    let ways: Vec<String> = ways.iter().map(written).collect();
    format!("{} and {} are linked in {} ways. Say in joins which: {}.", a.alias, b.alias, ways.len(), ways.join("; "))
}

/// Returns true if a member is the excluded side of an anti join.
fn is_absent(at: usize, edges: &[Edge]) -> bool {
    edges.iter().any(|e| e.kind == JoinKind::Anti && e.right == at)
}

/// Checks the restrictions of anti and full joins on other joins.
fn check_exclusive_joins(members: &[Member<'_>], edges: &[Edge]) -> Result<(), String> {
    for edge in edges {
        let name = &members[edge.right].alias;
        let others = edges.iter().filter(|e| e.left == edge.right || e.right == edge.right).count() > 1;
        if edge.kind == JoinKind::Anti && others {
            return Err(format!(
                "{name} has an anti join, so nothing else can be joined to it. Make a view of it first."
            ));
        }
    }
    let full = edges.iter().any(|e| e.kind == JoinKind::Full);
    if full && members.len() > 2 {
        return Err("A full join joins two sources and no others. Make views of the other joins first.".to_owned());
    }
    Ok(())
}

/// Orders the tree so that each source follows the one it is joined to, and left joins keep the earlier source's rows.
fn order_sources<'a>(members: &[Member<'a>], edges: &[Edge]) -> Result<Vec<Source<'a>>, String> {
    let roots = (0..members.len()).map(|root| from_root(root, members, edges));
    let mut refusal = None;
    for placed in roots {
        match placed {
            Ok(sources) => return Ok(sources),
            Err(message) => refusal = refusal.or(Some(message)),
        }
    }
    Err(refusal.unwrap_or_default())
}

fn from_root<'a>(root: usize, members: &[Member<'a>], edges: &[Edge]) -> Result<Vec<Source<'a>>, String> {
    let mut order = vec![root];
    let mut sources = vec![Source {
        alias: members[root].alias.clone(),
        rows: members[root].rows.clone(),
        link: None,
        nullable: false,
    }];
    while order.len() < members.len() {
        // Anti-joined sources come last.
        let (present, absent): (Vec<usize>, Vec<usize>) =
            (0..members.len()).filter(|at| !order.contains(at)).partition(|&at| !is_absent(at, edges));
        let next = present.into_iter().chain(absent).find_map(|at| {
            let edge = edges
                .iter()
                .find(|e| (e.left == at && order.contains(&e.right)) || (e.right == at && order.contains(&e.left)))?;
            Some((at, edge))
        });
        let Some((at, edge)) = next else { return Err("The sources are not all joined.".to_owned()) };
        let down = edge.right == at;
        let (above, on) = if down { (edge.left, edge.on.clone()) } else { (edge.right, swap_pairs(edge.on.clone())) };
        let parent = order.iter().position(|&o| o == above).unwrap_or_default();
        let (name, other) = (&members[at].alias, &members[above].alias);
        let kind = match edge.kind {
            JoinKind::Left if !down => {
                return Err(format!(
                    "The left joins keep all rows of {name} and of another source. Keep those of one."
                ));
            }
            JoinKind::Anti if !down => {
                return Err(format!(
                    "The anti join leaves out rows of {name}, and {other} is not there. Exchange them."
                ));
            }
            JoinKind::Full => {
                sources[parent].nullable = true;
                JoinKind::Full
            }
            JoinKind::Inner if sources[parent].nullable && !edge.implied => {
                return Err(format!(
                    "The inner join of {other} and {name} drops the rows that the left join of {other} keeps. Make it a \
                     left join, too, or both inner."
                ));
            }
            JoinKind::Inner if sources[parent].nullable => JoinKind::Left,
            kind => kind,
        };
        order.push(at);
        let nullable = matches!(kind, JoinKind::Left | JoinKind::Full);
        let member = &members[at];
        let link = Some(Link { parent, kind, on });
        sources.push(Source { alias: member.alias.clone(), rows: member.rows.clone(), link, nullable });
    }
    Ok(sources)
}

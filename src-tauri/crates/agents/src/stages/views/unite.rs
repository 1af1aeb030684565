//! Unites the views of several chunks under unique names.

use crate::run::context::RunContext;
use vitrine_domain::ViewAttempt;

/// Adds the views of a chunk. A view with the same name as one of another chunk is renamed, and the views of its chunk that read it
/// continue to do so.
pub fn add(context: &RunContext, united: &mut Vec<ViewAttempt>, chunk: Vec<ViewAttempt>, index: u32) {
    let mut views = chunk;
    let mut left_out: Vec<String> = Vec::new();
    for at in 0..views.len() {
        let name = views[at].name.clone();
        if !united.iter().any(|view| view.name.eq_ignore_ascii_case(&name)) {
            continue;
        }
        let own = {
            let known = |view: &ViewAttempt, own: &str| view.name.eq_ignore_ascii_case(own);
            let taken = |own: &str| {
                united.iter().chain(&views).any(|view| known(view, own))
                    || context.ask.data.catalog.find_table(own).is_some()
            };
            let mut own = format!("{name}_{index}");
            while taken(&own) {
                own.push('_');
            }
            own
        };
        for reader in views.iter_mut().skip(at + 1) {
            if !read_instead(context, reader, &name, &own) {
                left_out.push(reader.name.clone());
            }
        }
        views[at].name = own;
    }
    for view in views {
        let gone = |name: &String| left_out.contains(name);
        if gone(&view.name) || view.depends_on.iter().any(gone) {
            left_out.push(view.name);
        } else {
            united.push(view);
        }
    }
}

/// Changes a view so that it reads the renamed view under the previous name. Returns false if only the engine can parse the view, which
/// would then read another chunk's view.
fn read_instead(context: &RunContext, reader: &mut ViewAttempt, name: &str, own: &str) -> bool {
    let Some(place) = reader.depends_on.iter().position(|read| read.eq_ignore_ascii_case(name)) else { return true };
    let Some(sql) =
        context.ask.prove_query(&reader.sql).ok().and_then(|sql| vitrine_sql::read_instead(&sql, name, own))
    else {
        return false;
    };
    own.clone_into(&mut reader.depends_on[place]);
    sql.as_str().clone_into(&mut reader.sql);
    true
}

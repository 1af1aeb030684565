//! Views over earlier views read the fetched rows (ProSPy, 3.3), which are on disk for the analysis, with DuckDB, so that the database
//! computes no view twice.

use crate::attempt::views::Fetched;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use vitrine_domain::{Agent, Page, Profile, ViewSpec};
use vitrine_view_dsl::{ViewRelation, compile_view};
use vitrine_warehouse::WarehouseUri;

/// Runs a view that reads only earlier views over their fetched rows, and reads at most `rows` of its own. `None` if the view also reads
/// tables, if an earlier view is incomplete, or if the query fails: the database then runs it, with the earlier views compiled in.
///
/// # Errors
/// Fails if the run is stopped.
pub(super) async fn over_kept(
    context: &RunContext,
    fetched: &[Fetched],
    spec: &ViewSpec,
    rows: u64,
) -> Result<Option<Page>, StageError> {
    let Some(sandbox) = &context.ask.data.sandbox else { return Ok(None) };
    let folder = sandbox.folder();
    let read: Vec<Option<&ViewRelation>> = (spec.source.iter())
        .map(|source| {
            let view = fetched.iter().find(|view| view.name.eq_ignore_ascii_case(&source.table))?;
            let kept = !view.page.truncated && folder.join(format!("{}.parquet", view.name)).is_file();
            view.spec.as_ref().filter(|_| kept).map(|(_, relation)| relation)
        })
        .collect();
    let Some(read) = read.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let mut earlier: Vec<ViewRelation> = Vec::new();
    for relation in read {
        if !earlier.iter().any(|known| known.name == relation.name) {
            earlier.push(relation.clone());
        }
    }
    if earlier.is_empty() {
        return Ok(None);
    }
    let none = Profile::default();
    let Ok(uri) = WarehouseUri::parse(&format!("file:{}", folder.display())) else { return Ok(None) };
    let Ok(warehouse) = vitrine_warehouse::open_warehouse(&uri).await else { return Ok(None) };
    let dialect = warehouse.dialect();
    let compiled = compile_view(std::slice::from_ref(spec), &context.ask.data.catalog, &none, &earlier, dialect);
    let Ok(sql) = compiled else { return Ok(None) };
    match context.query_in(warehouse.as_ref(), Agent::ViewGenerator, nodes::FETCH, &sql, rows).await {
        Ok(mut page) => {
            let results: Vec<(&str, &Page)> = fetched.iter().map(|view| (view.name.as_str(), &view.page)).collect();
            context.egress.mark_over(&mut page, &sql, &results);
            Ok(Some(page))
        }
        Err(error) if error.ends_run() => Err(error.into()),
        Err(_) => Ok(None),
    }
}

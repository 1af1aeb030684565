//! The tables of a warehouse by page, for databases with thousands of them.

use crate::app::App;
use crate::types::{TablePage, TableSummary};
use vitrine_domain::{AppError, Table, TableKind};

/// Tables of one page at most.
const LARGEST_PAGE: u32 = 500;

impl App {
    /// The tables of a warehouse that hold every word of `search` in their names, comments or columns, from the
    /// `offset`th on and `limit` at most.
    pub async fn tables(&self, uri: String, search: String, offset: u32, limit: u32) -> Result<TablePage, AppError> {
        let open = self.opened(&uri).await?;
        let (catalog, profile) = (open.catalog(), open.profile());
        let words: Vec<String> = search.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let found: Vec<&Table> = catalog.tables.iter().filter(|table| holds(table, &words)).collect();
        let summary = |table: &&Table| {
            let counted = || profile.tables.iter().find(|known| known.table == table.name).map(|known| known.row_count);
            TableSummary {
                name: label(table),
                is_view: table.kind == TableKind::View,
                columns: table.columns.len() as u32,
                rows: table.row_count.or_else(counted),
                comment: table.comment.clone(),
            }
        };
        let page = found.iter().skip(offset as usize).take(limit.min(LARGEST_PAGE) as usize);
        Ok(TablePage {
            tables: page.map(summary).collect(),
            found: found.len() as u32,
            total: catalog.tables.len() as u32,
        })
    }
}

fn label(table: &Table) -> String {
    table.name.parts().collect::<Vec<_>>().join(".")
}

fn holds(table: &Table, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let mut text = label(table).to_lowercase();
    for more in table.comment.iter().chain(table.columns.iter().map(|column| &column.name)) {
        text.push('\n');
        text.push_str(&more.to_lowercase());
    }
    words.iter().all(|word| text.contains(word))
}

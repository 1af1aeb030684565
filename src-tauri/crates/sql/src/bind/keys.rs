//! Resolves the keys by which windows and aggregates order and group their rows.

use super::scope::{Source, Walk, merge_distinct};
use super::summary::plain_column_path;
use super::ties::is_computed;
use sqlparser::ast::{Expr, WindowFrameBound, WindowSpec};

impl Walk<'_> {
    /// Walks a key that rows are ordered or grouped by. The order of stored values is not their value; that of computed
    /// ones can be, such as whether they equal a constant.
    pub(super) fn walk_order_key(&mut self, key: &Expr) -> Vec<Source> {
        let sources = self.walk_expr(key);
        let is_order = !self.follows_values() || plain_column_path(key).is_some() && !is_computed(&sources);
        if is_order { Vec::new() } else { sources }
    }

    /// Walks the keys and bounds of a window, and returns the sources that its values reveal.
    pub(super) fn walk_window(&mut self, spec: &WindowSpec) -> Vec<Source> {
        let mut sources = Vec::new();
        for key in spec.partition_by.iter().chain(spec.order_by.iter().map(|key| &key.expr)) {
            merge_distinct(&mut sources, &self.walk_order_key(key));
        }
        if let Some(frame) = &spec.window_frame {
            for bound in [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten() {
                if let WindowFrameBound::Preceding(Some(e)) | WindowFrameBound::Following(Some(e)) = bound {
                    merge_distinct(&mut sources, &self.walk_expr(e));
                }
            }
        }
        if self.follows_values() { sources } else { Vec::new() }
    }
}

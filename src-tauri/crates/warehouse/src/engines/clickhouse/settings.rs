//! The settings of queries. A login with `readonly = 1` in its profile accepts no settings; one with `readonly = 2`
//! accepts all except `readonly` itself; for any other login each request sets `readonly = 1` together with the other
//! settings.

use super::rows::Rows;
use crate::Limits;
use std::collections::HashMap;

/// The restriction of a login to reading in its own profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnMode {
    /// The login is not restricted.
    Free,
    /// The login is read-only and accepts no settings.
    Fixed,
    /// The login is read-only and accepts settings.
    Reads,
}

impl OwnMode {
    /// Converts the value of `readonly`.
    pub fn from_value(value: &str) -> Self {
        match value {
            "0" => Self::Free,
            "1" => Self::Fixed,
            _ => Self::Reads,
        }
    }
}

/// Settings that make queries behave as in other engines and results exact.
const MEANING: [(&str, &str); 18] = [
    ("join_use_nulls", "1"),
    ("aggregate_functions_null_for_empty", "1"),
    ("group_by_use_nulls", "1"),
    ("cast_keep_nullable", "1"),
    ("union_default_mode", "DISTINCT"),
    ("except_default_mode", "DISTINCT"),
    ("intersect_default_mode", "DISTINCT"),
    ("prefer_column_name_to_alias", "0"),
    ("enable_positional_arguments", "1"),
    ("date_time_output_format", "simple"),
    ("output_format_decimal_trailing_zeros", "1"),
    ("output_format_json_quote_64bit_integers", "0"),
    ("output_format_json_quote_decimals", "0"),
    ("output_format_json_quote_denormals", "1"),
    ("output_format_json_named_tuples_as_objects", "1"),
    ("output_format_json_map_as_array_of_tuples", "0"),
    ("output_format_json_escape_forward_slashes", "0"),
    ("output_format_json_validate_utf8", "1"),
];

/// Settings that forbid operations beyond changing data.
const HELD: [(&str, &str); 4] = [
    ("allow_ddl", "0"),
    ("allow_introspection_functions", "0"),
    // Reading a queue consumes its messages.
    ("stream_like_engine_allow_direct_select", "0"),
    ("cancel_http_readonly_queries_on_client_close", "1"),
];

/// Limits that silently truncate a result unless their mode is to fail.
const CUTS: [&str; 9] = [
    "read_overflow_mode",
    "read_overflow_mode_leaf",
    "group_by_overflow_mode",
    "sort_overflow_mode",
    "set_overflow_mode",
    "join_overflow_mode",
    "distinct_overflow_mode",
    "timeout_overflow_mode",
    "timeout_overflow_mode_leaf",
];

/// The settings that limit a single query.
const LIMITS: [&str; 5] =
    ["max_execution_time", "max_memory_usage", "max_result_rows", "result_overflow_mode", READ_LIMIT];

/// The setting for the maximum of uncompressed bytes that all reads of a query may take.
pub(super) const READ_LIMIT: &str = "max_bytes_to_read";

/// Settings for planning, with which a plan lists everything that the query would read without running any of it: no
/// nested query is run to build a set for an index, and the columns of conditions are read with the others.
const OF_PLANS: [(&str, &str); 2] = [("use_index_for_in_with_subqueries", "0"), ("optimize_move_to_prewhere", "0")];

/// The value of a setting for this login.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    value: String,
    /// The largest value that the profile allows.
    most: Option<u64>,
    /// True if the profile does not permit changes.
    is_fixed: bool,
}

/// The settings that the server supports, as they apply to the login.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    mode: OwnMode,
    known: HashMap<String, Known>,
}

/// Builds the query whose rows [`Settings::from_rows`] parses.
pub(super) fn build_settings_query() -> String {
    let names: Vec<String> = MEANING
        .iter()
        .chain(&HELD)
        .chain(&OF_PLANS)
        .map(|(name, _)| *name)
        .chain(CUTS)
        .chain(LIMITS)
        .map(|name| format!("'{name}'"))
        .collect();
    format!("SELECT name, value, toString(max), readonly FROM system.settings WHERE name IN ({})", names.join(", "))
}

impl Settings {
    pub fn from_rows(mode: OwnMode, rows: Rows) -> Self {
        let known = rows.into_iter().filter_map(|row| {
            let [name, value, most, is_fixed] = row.try_into().ok()?;
            let most = most.and_then(|most| most.parse().ok());
            Some((name?, Known { value: value.unwrap_or_default(), most, is_fixed: is_fixed.as_deref() == Some("1") }))
        });
        Self { mode, known: known.collect() }
    }

    /// Returns a limit of this login that silently truncates results and that it may not change.
    pub fn silent_cut(&self) -> Option<&str> {
        let cuts = |name: &&&str| self.known.get(**name).is_some_and(|known| known.is_fixed && known.value != "throw");
        CUTS.iter().find(cuts).copied()
    }

    /// Returns the settings of a query and its limits. A stricter limit of the login remains in force.
    pub fn of_query(&self, limits: &Limits, memory_bytes: u64) -> Vec<(&'static str, String)> {
        let mut settings = self.base_settings();
        // The server also counts the time in which it waits for a slow reader, so that its limit is twice as long.
        let seconds = (limits.timeout * 2).as_secs().max(1);
        settings.extend(self.limit_setting("max_execution_time", seconds));
        let memory = limits.memory_bytes.map_or(memory_bytes, |own| own.min(memory_bytes));
        settings.extend(self.limit_setting("max_memory_usage", memory));
        if let Some(rows) = limits.rows {
            // One row more shows whether the limit truncated the result. The server stops after a complete block, so
            // that there may be more.
            let rows = rows.saturating_add(1);
            let fits =
                self.known.get("max_result_rows").is_some_and(|known| known.most.is_none_or(|most| rows <= most));
            if fits && self.may_change("max_result_rows") && self.may_change("result_overflow_mode") {
                settings.push(("max_result_rows", rows.to_string()));
                settings.push(("result_overflow_mode", "break".to_owned()));
            }
        }
        settings.extend(self.held_to_reading());
        settings
    }

    /// Returns the settings of an internal query, or of a query that is only prepared.
    pub fn of_look(&self, seconds: u64) -> Vec<(&'static str, String)> {
        let mut settings = self.base_settings();
        settings.extend(self.limit_setting("max_execution_time", seconds));
        settings.extend(self.held_to_reading());
        settings
    }

    /// Returns the settings that limit the bytes of a query to `most`; `None` if they cannot be limited.
    pub fn read_limit(&self, most: u64) -> Option<Vec<(&'static str, String)>> {
        if let Some(limit) = self.limit_setting(READ_LIMIT, most) {
            return Some(vec![limit]);
        }
        let own = self.known.get(READ_LIMIT)?.value.parse::<u64>().ok()?;
        (1..=most).contains(&own).then(Vec::new)
    }

    /// Returns the settings for requesting a plan. A nested query that the server would run while planning fails at its
    /// first bytes, and the request for the plan fails with it.
    pub fn of_plan(&self, seconds: u64) -> Option<Vec<(&'static str, String)>> {
        let mut settings = self.of_look(seconds);
        settings.extend(self.read_limit(1)?);
        let own = OF_PLANS.iter().filter(|(name, _)| self.may_change(name));
        settings.extend(own.map(|(name, value)| (*name, (*value).to_owned())));
        Some(settings)
    }

    fn base_settings(&self) -> Vec<(&'static str, String)> {
        let cuts = CUTS.iter().map(|name| (*name, "throw"));
        let all = MEANING.into_iter().chain(HELD).chain(cuts);
        all.filter(|(name, _)| self.may_change(name)).map(|(name, value)| (name, value.to_owned())).collect()
    }

    fn held_to_reading(&self) -> Option<(&'static str, String)> {
        (self.mode == OwnMode::Free).then(|| ("readonly", "1".to_owned()))
    }

    fn may_change(&self, name: &str) -> bool {
        self.known.get(name).is_some_and(|known| !known.is_fixed)
    }

    /// Returns a limit unless the login may not change it. A stricter limit of the login takes precedence; 0 means no
    /// limit.
    fn limit_setting(&self, name: &'static str, wanted: u64) -> Option<(&'static str, String)> {
        let known = self.known.get(name).filter(|known| !known.is_fixed)?;
        let own = known.value.parse().ok().filter(|own| *own > 0).unwrap_or(u64::MAX);
        let most = known.most.filter(|most| *most > 0).unwrap_or(u64::MAX);
        Some((name, wanted.min(own).min(most).to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn sample_settings(mode: OwnMode, rows: &[[&str; 4]]) -> Settings {
        let cell = |cell: &&str| (!cell.is_empty()).then(|| (*cell).to_owned());
        Settings::from_rows(mode, rows.iter().map(|row| row.iter().map(cell).collect()).collect())
    }

    #[test]
    fn only_what_the_server_knows_and_the_login_may_change_is_sent() {
        let own = sample_settings(
            OwnMode::Free,
            &[
                ["join_use_nulls", "0", "", "0"],
                ["allow_ddl", "1", "", "1"],
                ["max_execution_time", "30", "", "0"],
                ["max_memory_usage", "0", "1000", "0"],
                ["max_result_rows", "0", "", "0"],
                ["result_overflow_mode", "throw", "", "0"],
            ],
        );
        let limits = Limits { rows: Some(10), timeout: Duration::from_secs(60), ..Limits::default() };
        let sent: Vec<String> =
            own.of_query(&limits, 1 << 30).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            sent,
            [
                "join_use_nulls=1",
                "max_execution_time=30",
                "max_memory_usage=1000",
                "max_result_rows=11",
                "result_overflow_mode=break",
                "readonly=1"
            ]
        );
        let reads = sample_settings(OwnMode::Reads, &[["join_use_nulls", "0", "", "0"]]);
        assert_eq!(reads.of_look(5), [("join_use_nulls", "1".to_owned())]);
    }

    #[test]
    fn a_limit_of_bytes_is_sent_or_holds_already_or_is_none() {
        let own = |row: [&str; 4]| sample_settings(OwnMode::Free, &[row]);
        let sent = |most: &str| Some(vec![(READ_LIMIT, most.to_owned())]);
        assert_eq!(own([READ_LIMIT, "0", "", "0"]).read_limit(500), sent("500"));
        assert_eq!(own([READ_LIMIT, "300", "", "0"]).read_limit(500), sent("300"), "the stricter one");
        assert_eq!(own([READ_LIMIT, "300", "", "1"]).read_limit(500), Some(Vec::new()));
        assert_eq!(own([READ_LIMIT, "600", "", "1"]).read_limit(500), None);
        assert_eq!(own([READ_LIMIT, "0", "", "1"]).read_limit(500), None);
        assert_eq!(own(["join_use_nulls", "0", "", "0"]).read_limit(500), None, "a server that does not know it");
        assert_eq!(own(["join_use_nulls", "0", "", "0"]).of_plan(5), None);
    }

    #[test]
    fn a_limit_that_cuts_without_a_word_is_found() {
        let own = sample_settings(OwnMode::Reads, &[["read_overflow_mode", "break", "", "1"]]);
        assert_eq!(own.silent_cut(), Some("read_overflow_mode"));
        // If the login may change the setting, it is changed.
        assert_eq!(sample_settings(OwnMode::Reads, &[["read_overflow_mode", "break", "", "0"]]).silent_cut(), None);
    }
}

//! The days of a query: from a calendar table, or generated from the first to the last day of the data. They add
//! periods without rows and accumulate metrics over time.

use super::compiler::{Compiler, GroupBy};
use super::leaf::Leaf;
use super::meaning::{Meaning, TimeForm, resolve_name};
use super::scope::{Column, Scope};
use crate::catalog::find_stored_table;
use crate::definition::Pick;
use crate::expression::{replace_names, with_expression, write_columns};
use crate::grain::Grain;
use crate::problem::MetricError;
use vitrine_domain::views::Period;
use vitrine_sql::{ColumnType, table_ref};
use vitrine_words::tr;

/// A number of days that no data exceeds: ten to this power.
const DIGITS: usize = 5;

impl<'f> Compiler<'_, 'f> {
    /// Returns true if the leaf's own time is among the groups.
    fn is_grouped_by_time(&self, leaf: &Leaf<'f>, groups: &[GroupBy]) -> Result<bool, MetricError> {
        for group in groups {
            if self.group_time(leaf, group)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if periods without rows are added for a leaf.
    pub fn adds_periods(&self, leaf: &Leaf<'f>, groups: &[GroupBy]) -> Result<bool, MetricError> {
        Ok(leaf.every_period && self.is_grouped_by_time(leaf, groups)?)
    }

    /// Returns true if a leaf is accumulated day by day.
    pub fn accumulates_days(&self, leaf: &Leaf<'f>, groups: &[GroupBy]) -> Result<bool, MetricError> {
        let Some(cumulative) = leaf.cumulative else { return Ok(false) };
        let by_time = self.is_grouped_by_time(leaf, groups)?;
        // Without listed days, a condition on time would limit the accumulated rows.
        let has_range = leaf.conditions.iter().any(|condition| condition.mentions_time);
        if !by_time && (cumulative.window.is_some() || cumulative.since.is_some() || has_range) {
            return Err(MetricError::new(tr!("Metric '{name}' accumulates over time", name = leaf.name))
                .with_hint(tr!("Add a period to --by, such as metric_time__day")));
        }
        Ok(by_time)
    }

    /// Generates the parts of the query that list the days of some leaves, as pairs of a name and a query; the last
    /// one is `days`, with the column `day`.
    pub fn write_days(&self, leaves: &[usize], days: &str) -> Result<Vec<(String, String)>, MetricError> {
        let day = self.quote("day");
        if let Some(calendar) = &self.file.calendar.days {
            let table = find_stored_table(self.catalog, &calendar.table)?;
            let (sql, family, _) = write_columns(&calendar.column, table, &table.name.name, self.dialect())?;
            let first = self.sql().day_of(&sql, family);
            let from = table_ref(&table.name, self.dialect());
            return Ok(vec![(days.to_owned(), format!("SELECT DISTINCT {first} AS {day}\nFROM {from}"))]);
        }
        let (first, last) = (self.quote("first_day"), self.quote("last_day"));
        let mut bounds: Vec<String> = Vec::new();
        for &index in leaves {
            let leaf = &self.plan.leaves[index];
            let mut scope = Scope::new(self, leaf.base)?;
            let moment = scope.leaf_time(leaf)?;
            let own = self.sql().day_of(&moment.sql, moment.family);
            let one = format!("SELECT MIN({own}) AS {first}, MAX({own}) AS {last}\n{}", scope.render_from()?);
            if !bounds.contains(&one) {
                bounds.push(one);
            }
        }
        let bounds = match bounds.as_slice() {
            [one] => one.clone(),
            all => {
                let all = all.join("\nUNION ALL\n");
                let ranges = self.part_name("ranges");
                format!("SELECT MIN({first}) AS {first}, MAX({last}) AS {last}\nFROM (\n{all}\n) AS {ranges}")
            }
        };
        let (range, digits) = (self.part_name("day_range"), self.part_name("digits"));
        let n = self.quote("n");
        let ten: Vec<String> = (0..10)
            .map(|digit| if digit == 0 { format!("SELECT 0 AS {n}") } else { format!("SELECT {digit}") })
            .collect();
        let places: Vec<String> = (0..DIGITS).map(|place| self.quote(&format!("d{place}"))).collect();
        let number: Vec<String> = places
            .iter()
            .enumerate()
            .map(|(place, alias)| match place {
                0 => format!("{alias}.{n}"),
                _ => format!("{} * {alias}.{n}", 10_u64.pow(place as u32)),
            })
            .collect();
        let joins: String = places.iter().map(|alias| format!("\nCROSS JOIN {digits} AS {alias}")).collect();
        let number = number.join(" + ");
        let (start, end) = (format!("{range}.{first}"), format!("{range}.{last}"));
        let listed = format!(
            "SELECT {} AS {day}\nFROM {range}{joins}\nWHERE {number} <= {}",
            self.sql().add_days(&start, &format!("({number})")),
            self.sql().count_steps(&start, &end, Period::Day)
        );
        Ok(vec![(range, bounds), (digits, ten.join(" UNION ALL ")), (days.to_owned(), listed)])
    }

    /// Returns an expression of a day for a form of time.
    pub fn day_form(&self, day: &str, form: TimeForm) -> String {
        let moment = Column { sql: day.to_owned(), family: ColumnType::Date, stored_type: String::new() };
        match form {
            TimeForm::Start(grain) => self.truncate(&moment, grain),
            TimeForm::Part(part) => self.sql().date_number(part, day),
        }
    }

    /// Returns the WHERE clause of a leaf's conditions on time, for days.
    fn day_filter(&self, leaf: &Leaf<'f>, day: &str) -> Result<String, MetricError> {
        let mut conditions = Vec::new();
        for condition in leaf.conditions.iter().filter(|condition| condition.is_time) {
            conditions.push(with_expression(&condition.text, self.dialect(), |expr| {
                let sql = replace_names(expr, &mut |parts| {
                    let [part] = parts else { return Ok(None) };
                    let Meaning::Time(form) = resolve_name(self.file, leaf, &part.value)? else { return Ok(None) };
                    Ok(Some(self.day_form(day, form)))
                })?;
                Ok(format!("({sql})"))
            })?);
        }
        Ok(if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) })
    }

    /// Generates the periods in which a part has no rows. Returns the query and the groups that it has as columns.
    pub fn write_empty_periods(
        &self,
        leaf: &Leaf<'f>,
        part: &str,
        groups: &[GroupBy],
        days: &str,
    ) -> Result<(String, Vec<GroupBy>), MetricError> {
        let day = format!("{days}.{}", self.quote("day"));
        let (periods, mut columns) = (self.part_name("periods"), Vec::new());
        let (mut forms, mut same, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for group in groups {
            let Some(form) = self.group_time(leaf, group)? else { continue };
            let name = self.quote(&group.output);
            forms.push(format!("{} AS {name}", self.day_form(&day, form)));
            same.push(format!("{part}.{name} = {periods}.{name}"));
            columns.push(format!("{periods}.{name}"));
            times.push(group.clone());
        }
        let filter = self.day_filter(leaf, &day)?;
        let listed = format!("SELECT DISTINCT {}\nFROM {days}{filter}", forms.join(", "));
        // Without other groups, merging removes the periods that have rows.
        let missing = match same.len() == groups.len() {
            true => String::new(),
            false => format!("\nWHERE NOT EXISTS (SELECT 1 FROM {part} WHERE {})", same.join(" AND ")),
        };
        Ok((format!("SELECT {}\nFROM (\n{listed}\n) AS {periods}{missing}", columns.join(", ")), times))
    }

    /// Generates a leaf that accumulates over time.
    pub fn write_cumulative(&self, index: usize, groups: &[GroupBy], days: &str) -> Result<String, MetricError> {
        let leaf = &self.plan.leaves[index];
        let cumulative = leaf.cumulative.cloned().unwrap_or_default();
        let by_days = self.accumulates_days(leaf, groups)?;
        let mut scope = Scope::new(self, leaf.base)?;
        let value_name = self.column_name("row_value");
        let value = scope.leaf_value(leaf)?.map(|column| column.sql);
        let mut others: Vec<(String, String)> = Vec::new();
        let mut times: Vec<(String, TimeForm)> = Vec::new();
        for group in groups {
            match self.group_time(leaf, group)? {
                Some(form) => times.push((self.quote(&group.output), form)),
                None => {
                    let sql = scope.name_expression(leaf, &group.written, false)?.sql;
                    others.push((sql, self.quote(&group.output)));
                }
            }
        }
        let total = self.leaf_column(index);
        if !by_days {
            let filter = self.filter_clause(&mut scope, leaf, |_| true)?;
            let mut columns: Vec<String> = others.iter().map(|(sql, name)| format!("{sql} AS {name}")).collect();
            columns.push(format!("{} AS {total}", self.aggregate(leaf.aggregate, value.as_deref())));
            let keys: Vec<String> = others.into_iter().map(|(sql, _)| sql).collect();
            return Ok(format!(
                "SELECT {}\n{}{filter}{}",
                columns.join(", "),
                scope.render_from()?,
                self.group_clause(&keys)
            ));
        }
        if let Some(mixed) = leaf.conditions.iter().find(|c| !c.is_time && c.mentions_time) {
            return Err(MetricError::new(tr!(
                "A condition of metric '{name}' mixes time with dimensions: {text}",
                name = leaf.name,
                text = mixed.text
            )));
        }
        let moment = scope.leaf_time(leaf)?;
        let row_day = self.column_name("row_day");
        let mut columns = vec![format!("{} AS {row_day}", self.sql().day_of(&moment.sql, moment.family))];
        columns.extend(others.iter().map(|(sql, name)| format!("{sql} AS {name}")));
        columns.push(format!("{} AS {value_name}", value.as_deref().unwrap_or("1")));
        let filter = self.filter_clause(&mut scope, leaf, |condition| !condition.is_time)?;
        let rows = format!("SELECT {}\n{}{filter}", columns.join(", "), scope.render_from()?);
        let rows_name = self.part_name("leaf_rows");
        let day = format!("{days}.{}", self.quote("day"));
        let mut on = vec![format!("{rows_name}.{row_day} <= {day}")];
        if let Some(window) = cumulative.window {
            on.push(format!("{rows_name}.{row_day} > {}", self.window_start(&day, window)));
        }
        if let Some(since) = cumulative.since {
            on.push(format!("{rows_name}.{row_day} >= {}", self.day_form(&day, TimeForm::Start(since))));
        }
        let day_name = self.column_name("day");
        let mut keys = vec![day.clone()];
        keys.extend(others.iter().map(|(_, name)| format!("{rows_name}.{name}")));
        let mut columns = vec![format!("{day} AS {day_name}")];
        columns.extend(others.iter().map(|(_, name)| format!("{rows_name}.{name} AS {name}")));
        let summed = self.aggregate(leaf.aggregate, Some(&format!("{rows_name}.{value_name}")));
        columns.push(format!("{summed} AS {total}"));
        let daily = format!(
            "SELECT {}\nFROM {days}\nJOIN (\n{rows}\n) AS {rows_name} ON {}{}{}",
            columns.join(", "),
            on.join(" AND "),
            self.day_filter(leaf, &day)?,
            self.group_clause(&keys)
        );
        Ok(self.pick_days(&daily, &times, &others, &total, cumulative.pick))
    }

    /// Reduces values by day to the groups of time: the values of one day per period, or their mean.
    fn pick_days(
        &self,
        daily: &str,
        times: &[(String, TimeForm)],
        others: &[(String, String)],
        total: &str,
        pick: Pick,
    ) -> String {
        let day = self.column_name("day");
        let from = self.part_name("daily");
        let forms: Vec<String> = times.iter().map(|(_, form)| self.day_form(&day, *form)).collect();
        let others: Vec<String> = others.iter().map(|(_, name)| name.clone()).collect();
        let mut columns: Vec<String> =
            forms.iter().zip(times).map(|(sql, (name, _))| format!("{sql} AS {name}")).collect();
        columns.extend(others.iter().cloned());
        let keys: Vec<String> = forms.iter().chain(&others).cloned().collect();
        if pick == Pick::Average {
            columns.push(format!("{} AS {total}", self.sql().mean(total)));
            return format!("SELECT {}\nFROM (\n{daily}\n) AS {from}{}", columns.join(", "), self.group_clause(&keys));
        }
        columns.push(total.to_owned());
        if times.iter().any(|(_, form)| *form == TimeForm::Start(Grain::Day)) {
            return format!("SELECT {}\nFROM (\n{daily}\n) AS {from}", columns.join(", "));
        }
        let place = self.column_name("day_place");
        let order = if pick == Pick::First { "" } else { " DESC" };
        let per = keys.join(", ");
        let names: Vec<String> =
            times.iter().map(|(name, _)| name.clone()).chain(others).chain([total.to_owned()]).collect();
        columns.push(format!("ROW_NUMBER() OVER (PARTITION BY {per} ORDER BY {day}{order}) AS {place}"));
        let numbered = format!("SELECT {}\nFROM (\n{daily}\n) AS {from}", columns.join(", "));
        let picked = self.part_name("numbered");
        format!("SELECT {}\nFROM (\n{numbered}\n) AS {picked}\nWHERE {place} = 1", names.join(", "))
    }
}

//! Leaves that need their rows before the aggregate: stocks and balances of the last day, and medians in dialects
//! without one.

use super::compiler::{Compiler, GroupBy};
use super::scope::Scope;
use crate::definition::{Aggregate, LastOf, Pick};
use crate::graph::Element;
use crate::problem::MetricError;
use vitrine_words::tr;

impl<'f> Compiler<'_, 'f> {
    /// Generates a query over the rows of one leaf.
    pub fn write_from_rows(&self, index: usize, groups: &[GroupBy]) -> Result<String, MetricError> {
        let leaf = &self.plan.leaves[index];
        let mut scope = Scope::new(self, leaf.base)?;
        let keys = self.group_columns(&mut scope, leaf, groups)?;
        let names: Vec<String> = groups.iter().map(|group| self.quote(&group.output)).collect();
        let mut columns: Vec<String> = keys.iter().zip(&names).map(|(sql, name)| format!("{sql} AS {name}")).collect();
        let value_name = self.column_name("row_value");
        let value = scope.leaf_value(leaf)?.map(|column| column.sql);
        columns.push(format!("{} AS {value_name}", value.as_deref().unwrap_or("1")));
        if let Some(last_of) = leaf.last_of {
            columns.extend(self.last_day_columns(&mut scope, index, last_of, groups)?);
        }
        let filter = self.filter_clause(&mut scope, leaf, |_| true)?;
        let mut below = format!("SELECT {}\n{}{filter}", columns.join(", "), scope.render_from()?);
        let mut condition = String::new();
        if leaf.last_of.is_some() {
            condition = format!("\nWHERE {} = {}", self.column_name("row_day"), self.column_name("counted_day"));
        }
        let mut aggregate = self.aggregate(leaf.aggregate, Some(&value_name));
        if leaf.aggregate == Aggregate::Median && !self.sql().has_median() {
            below = self.numbered_rows(&below, &condition, &names, &value_name);
            condition.clear();
            let (place, many) = (self.column_name("row_place"), self.column_name("row_total"));
            let middle = format!("CASE WHEN 2 * {place} BETWEEN {many} AND {many} + 2 THEN {value_name} END");
            aggregate = self.sql().mean(&middle);
        }
        let mut columns = names.clone();
        columns.push(format!("{aggregate} AS {}", self.leaf_column(index)));
        Ok(format!(
            "SELECT {}\nFROM (\n{below}\n) AS {}{condition}{}",
            columns.join(", "),
            self.part_name("leaf_rows"),
            self.group_clause(&names)
        ))
    }

    /// Numbers the values of each group in their order, with the number of values.
    fn numbered_rows(&self, below: &str, condition: &str, names: &[String], value: &str) -> String {
        let per = if names.is_empty() { String::new() } else { format!("PARTITION BY {}", names.join(", ")) };
        let blank = if per.is_empty() { "" } else { " " };
        let (place, many) = (self.column_name("row_place"), self.column_name("row_total"));
        let order = self.sql().nulls_last(value, false);
        let mut columns = names.to_vec();
        columns.push(value.to_owned());
        columns.push(format!("ROW_NUMBER() OVER ({per}{blank}ORDER BY {order}) AS {place}"));
        columns.push(format!("COUNT({value}) OVER ({per}) AS {many}"));
        let from = self.part_name("unordered_rows");
        format!("SELECT {}\nFROM (\n{below}\n) AS {from}{condition}", columns.join(", "))
    }

    /// Returns the day of a row, and the day of its period that counts.
    fn last_day_columns(
        &self,
        scope: &mut Scope<'_, '_, 'f>,
        index: usize,
        last_of: &LastOf,
        groups: &[GroupBy],
    ) -> Result<Vec<String>, MetricError> {
        let leaf = &self.plan.leaves[index];
        let table = &self.file.tables[leaf.base];
        let Some(over) = self.balance_time(leaf, last_of) else {
            let (name, over) = (leaf.name, &last_of.over);
            return Err(MetricError::missing(tr!(
                "Metric '{name}': its table has no time dimension '{over}'",
                name,
                over
            )));
        };
        let moment = self.local_time(scope.base_column(over.expression())?, &over.name)?;
        let day = self.sql().day_of(&moment.sql, moment.family);
        let mut per = Vec::new();
        for group in groups {
            if self.is_balance_time(leaf, group)? {
                per.push(scope.name_expression(leaf, &group.written, false)?.sql);
            }
        }
        for name in &last_of.per {
            let element = table.find_entity(name).map(Element::Entity);
            let element = element.or_else(|| table.find_dimension(name).map(Element::Dimension));
            let text = match element {
                Some(Element::Entity(entity)) => entity.expression(),
                Some(Element::Dimension(dimension)) => dimension.expression(),
                None => {
                    let metric = leaf.name;
                    return Err(MetricError::missing(tr!(
                        "Metric '{metric}': its table has no entity '{name}'",
                        metric,
                        name
                    )));
                }
            };
            per.push(scope.base_column(text)?.sql);
        }
        let per = if per.is_empty() { String::new() } else { format!("PARTITION BY {}", per.join(", ")) };
        let pick = match last_of.pick {
            Pick::First => "MIN",
            Pick::Last => "MAX",
            Pick::Average => {
                return Err(MetricError::new(tr!(
                    "Metric '{name}' counts the last or the first day",
                    name = leaf.name
                )));
            }
        };
        Ok(vec![
            format!("{day} AS {}", self.column_name("row_day")),
            format!("{pick}({day}) OVER ({per}) AS {}", self.column_name("counted_day")),
        ])
    }
}

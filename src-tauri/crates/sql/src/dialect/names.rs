//! Name resolution: which names a query may use and what they refer to.

use sqlparser::ast::Expr;

/// The name that an engine gives to a column of a select list without an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImplicitNames {
    /// The text as written, including parentheses.
    Text,
    /// The name of a plain column, also in parentheses; otherwise a form of the expression.
    Expression,
    /// Like [`ImplicitNames::Expression`], but functions and `CASE` give their own name, also within a cast.
    Function,
    /// The name of a plain column, also in parentheses; otherwise a number: `f0_`.
    Number,
}

/// Nested columns that a FROM clause may use as tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestedTables {
    /// Only with a function such as `UNNEST`.
    Unsupported,
    /// A column after the name of a table to its left: `FROM orders o, o.items`.
    QualifiedColumn,
    /// Any column in `ARRAY JOIN`. Without an alias, the members keep the name of the column.
    ArrayJoin,
}

/// Columns of a grouped query that are neither keys nor aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UngroupedColumns {
    /// An error.
    Rejected,
    /// The value in one of the group's rows.
    AnyRow,
    /// Accepted if the keys include the primary key of the column's table.
    DeterminedByKey,
}

/// Name resolution: which names a query may use and what they refer to. Defaults describe standard SQL.
pub trait NameResolution: Sync {
    // Spelling of names.

    /// Returns true if a column is not found by a name in different case.
    fn column_names_are_case_sensitive(&self) -> bool {
        false
    }

    /// Returns true if a table is not found by a name in different case.
    fn table_names_are_case_sensitive(&self) -> bool {
        false
    }

    /// Returns true if square brackets quote a name.
    fn quotes_names_in_brackets(&self) -> bool {
        false
    }

    /// Returns true if strings may be enclosed in dollar signs: `$$text$$`, `$tag$text$tag$`.
    fn quotes_strings_in_dollars(&self) -> bool {
        false
    }

    /// Returns true if `#` begins a comment.
    fn comments_begin_with_hash(&self) -> bool {
        false
    }

    /// Returns true if a name in double quotes that does not resolve is a string.
    fn reads_unresolved_quotes_as_strings(&self) -> bool {
        false
    }

    // Names besides the columns and tables of the catalog.

    /// Returns the hidden columns of each table, in lower case.
    fn hidden_columns(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if names of hidden columns begin with a dollar sign.
    fn hidden_columns_begin_with_dollar(&self) -> bool {
        false
    }

    /// Returns true if `$3` refers to the third column.
    fn has_column_positions(&self) -> bool {
        false
    }

    /// Returns true if a hidden column returns the value of a primary key of one column.
    fn row_id_is_primary_key(&self) -> bool {
        false
    }

    /// Returns true if a table with a full-text index has a hidden column with its own name.
    fn has_full_text_tables(&self) -> bool {
        false
    }

    /// Returns the functions that return text or positions of any column of the full-text table in their first
    /// argument.
    fn full_text_functions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if unquoted words such as `day` are valid arguments of date functions.
    fn has_date_part_keywords(&self) -> bool {
        false
    }

    /// Returns true if a view after WITH RECURSIVE may read views that follow it. In other engines, such a name can mean a
    /// table.
    fn recursive_views_see_later_views(&self) -> bool {
        self.views_see_later_views()
    }

    /// Returns true if the part of a recursive view that starts it reads a table of the view's name; other engines report
    /// an error.
    fn recursive_views_start_from_tables(&self) -> bool {
        !self.views_see_later_views()
    }

    /// Returns true if `*` lists the columns that a join merges before all others.
    fn merged_columns_come_first(&self) -> bool {
        false
    }

    /// Returns true if a name is valid although catalogs do not list it: the engine's own tables, and patterns of names.
    /// `table` is in lower case.
    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], _table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema"])
    }

    /// Returns the known columns of a table function; there may be others.
    fn table_function_columns(&self, _function: &str) -> &'static [&'static str] {
        &[]
    }

    // Nested values.

    /// Returns true if values may have fields, so that the name of a table or column may continue with a field, and
    /// the name of a table alone is its row as one value.
    fn has_nested_values(&self) -> bool {
        true
    }

    /// Returns true if the path to a field cannot pass through a list. Other engines return a list of the field's
    /// values.
    fn rejects_fields_of_lists(&self) -> bool {
        false
    }

    /// Returns the nested columns that a FROM clause may use as tables.
    fn nested_tables(&self) -> NestedTables {
        NestedTables::Unsupported
    }

    /// Returns true if `name.upper()` calls a function on a column.
    fn has_method_calls(&self) -> bool {
        false
    }

    // Names of result columns.

    /// Returns the names of columns without an alias.
    fn implicit_names(&self) -> ImplicitNames {
        ImplicitNames::Expression
    }

    /// Returns the name of a column that is computed by an expression, where it differs from the expression's text.
    fn computed_column_name(&self, _expr: &Expr) -> Option<String> {
        None
    }

    /// Returns the name of a column of VALUES by its index.
    fn values_column_name(&self, index: usize) -> String {
        format!("column{}", index + 1)
    }

    /// Returns the functions that expand to any number of columns in a select list, in lower case.
    fn column_functions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if columns that USING or NATURAL merges come first in `*`.
    fn star_begins_with_merged_columns(&self) -> bool {
        false
    }

    // Visibility of names.

    /// Returns true if expressions of a select list may use its earlier aliases.
    fn select_list_sees_aliases(&self) -> bool {
        false
    }

    /// Returns true if WHERE may use aliases of the select list.
    fn where_sees_aliases(&self) -> bool {
        false
    }

    /// Returns true if HAVING, QUALIFY and expressions of ORDER BY may use aliases of the select list.
    fn having_sees_aliases(&self) -> bool {
        true
    }

    /// Returns true if a name in HAVING that is both a column and an alias is known to refer to the column.
    fn having_prefers_columns(&self) -> bool {
        false
    }

    /// Returns true if ORDER BY may use any name of the result, also without an alias.
    fn order_by_sees_implicit_names(&self) -> bool {
        true
    }

    /// Returns true if group and sort keys of a subquery may use columns of the enclosing query.
    fn keys_see_outer_query(&self) -> bool {
        true
    }

    /// Returns true if join conditions may use tables to their right and aliases of the select list.
    fn join_conditions_see_later_names(&self) -> bool {
        false
    }

    /// Returns true if USING takes the first of several columns with its name.
    fn using_takes_first_column(&self) -> bool {
        false
    }

    /// Returns true if all subqueries in FROM may use the tables to their left, without LATERAL.
    fn subqueries_in_from_are_lateral(&self) -> bool {
        false
    }

    /// Returns true if a view in WITH may read itself only after the keyword RECURSIVE.
    fn recursion_needs_keyword(&self) -> bool {
        true
    }

    /// Returns true if a view in WITH may read later ones.
    fn views_see_later_views(&self) -> bool {
        false
    }

    // Evaluation of a query in steps.

    /// Returns the keyword between name and definition of a view in WITH that is computed once. In dialects without
    /// one, the engine decides.
    fn materialized_view_keyword(&self) -> &'static str {
        "AS"
    }

    /// Returns true if a view in WITH can be computed only once, so that its rows keep their numbers.
    fn keeps_row_numbers_of_views(&self) -> bool {
        false
    }

    /// Returns true if set operations have equal precedence.
    fn set_operations_have_equal_precedence(&self) -> bool {
        false
    }

    /// Returns true if a constant in a set operation has the type of the other operand.
    fn set_operations_convert_constants(&self) -> bool {
        false
    }

    /// Returns true if an operand of a set operation determines a column's type by the column's expression, so that the
    /// same column read from a view has another type.
    fn set_operations_type_columns_by_expression(&self) -> bool {
        false
    }

    /// Returns the meaning of columns of a grouped query that are neither keys nor aggregates.
    fn ungrouped_columns(&self) -> UngroupedColumns {
        UngroupedColumns::Rejected
    }

    /// Returns true if MIN and MAX with several arguments compare these instead of rows.
    fn min_and_max_compare_arguments(&self) -> bool {
        false
    }

    /// Returns true if groups are read from last to first for as many sort keys as group keys and a descending order,
    /// which decides the order of groups with equal sort keys.
    fn descending_keys_reverse_groups(&self) -> bool {
        false
    }

    /// Returns true if a text that a function returns is not converted to a number to compare it with one.
    fn compares_computed_text_with_numbers_as_text(&self) -> bool {
        false
    }

    /// Returns true if NOT EXISTS is executed as an anti-join rather than as a scan for each row.
    fn executes_not_exists_as_anti_join(&self) -> bool {
        true
    }
}

/// Returns true if one of the qualifiers is one of these schemas, which are in lower case.
pub(super) fn is_in_schema(qualifiers: &[&str], schemas: &[&str]) -> bool {
    qualifiers.iter().any(|part| schemas.contains(&part.to_lowercase().as_str()))
}

/// Returns the columns of the table functions for JSON that SQLite and DuckDB have.
pub(super) fn json_function_columns(function: &str) -> &'static [&'static str] {
    match function.to_lowercase().as_str() {
        "json_each" | "json_tree" | "jsonb_each" | "jsonb_tree" => {
            &["key", "value", "type", "atom", "id", "parent", "fullkey", "path"]
        }
        _ => &[],
    }
}

//! Parameters of queries: constants that can be replaced for one execution, and placeholders (`:name`) that need a value. They are read
//! from the query each time; the library stores the names of the parameters for which a saved question asks. Saved queries have no
//! placeholders.

use crate::app::App;
use crate::number_error::ambiguous_number_error;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::{
    FilledQuery, ParameterBound, ParameterKind, QueryCondition, QueryConditions, SavedParameter, SavedQuestion,
    TypedValue,
};
use std::collections::BTreeMap;
use vitrine_domain::{AppError, Catalog, ErrorCode};
use vitrine_sql::{Bound, ColumnType, DialectExt, Parameter, ReadOnlySql, Subject, Unfit};
use vitrine_words::tr;

impl App {
    /// Returns the placeholders of a query, then its replaceable constants, each in the order of the text. Constants are omitted if only
    /// the engine parses the query.
    ///
    /// # Errors
    /// When the database cannot be opened, or the query is not proven to be read-only; a query with placeholders may have other errors.
    pub async fn query_parameters(&self, warehouse: String, sql: String) -> Result<Vec<SavedParameter>, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let names = vitrine_sql::find_blank_names(&sql, open.declared.dialect);
        if names.is_empty() {
            return Ok(list_parameters(&self.prove_read_only(&open, sql).await?));
        }
        let marked = self.fill_placeholders(&open, &sql, &names).await;
        let catalog = open.catalog();
        let mut found: Vec<SavedParameter> = names
            .iter()
            .map(|name| SavedParameter {
                kind: marked.as_ref().and_then(|sql| kind_in(sql, name, &catalog)).unwrap_or(ParameterKind::Text),
                name: name.clone(),
                value: String::new(),
                open: true,
                bound: None,
            })
            .collect();
        let constants = marked.as_ref().map(list_parameters).unwrap_or_default();
        let is_mark = |parameter: &SavedParameter| names.iter().any(|name| parameter.value == placeholder_text(name));
        // A name has one meaning: a placeholder takes precedence over a constant.
        found.extend(constants.into_iter().filter(|parameter| !is_mark(parameter) && !names.contains(&parameter.name)));
        Ok(found)
    }

    /// Returns the conditions of a query that can be changed or removed one by one, and its row limit. Empty if only the engine parses the
    /// query.
    ///
    /// # Errors
    /// When the database cannot be opened, or the query is not proven to be read-only.
    pub async fn query_conditions(&self, warehouse: String, sql: String) -> Result<QueryConditions, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let proven = self.prove_read_only(&open, sql).await?;
        let catalog = open.catalog();
        let found = run_blocking(move || {
            let described = vitrine_explain::describe_query_conditions(&proven, &catalog);
            Ok((described, vitrine_sql::find_row_limit(&proven)))
        });
        let (described, limit) = found.await?;
        let condition = |found: vitrine_explain::DescribedCondition| QueryCondition {
            text: found.words,
            variants: found.variants,
            parameters: found.parameters.into_iter().map(to_saved_parameter).collect(),
            without: found.without.map(|sql| sql.as_str().to_owned()),
        };
        Ok(QueryConditions {
            conditions: described.into_iter().map(condition).collect(),
            limit: limit.map(to_saved_parameter),
        })
    }

    /// Returns the query with these values for its parameters, with a read-only proof. Every placeholder needs a value.
    ///
    /// # Errors
    /// When a parameter does not exist, a value is missing or does not fit, or the query is not proven to be read-only.
    pub async fn fill_query(
        &self,
        warehouse: String,
        sql: String,
        values: BTreeMap<String, TypedValue>,
    ) -> Result<FilledQuery, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let dialect = open.declared.dialect;
        let names = vitrine_sql::find_blank_names(&sql, dialect);
        let marked = if names.is_empty() { None } else { self.fill_placeholders(&open, &sql, &names).await };
        let catalog = open.catalog();
        let (blanks, constants): (BTreeMap<_, _>, BTreeMap<_, _>) =
            values.into_iter().partition(|(name, _)| names.contains(name));
        let blanks = blanks
            .into_iter()
            .map(|(name, TypedValue { kind, value })| {
                let kind = kind.or_else(|| kind_in(marked.as_ref()?, &name, &catalog)).map(to_sql_kind);
                (name, (kind.unwrap_or_else(|| vitrine_sql::kind_by_spelling(&value)), value))
            })
            .collect();
        let filled =
            vitrine_sql::fill_blanks(&sql, dialect, &blanks).map_err(|unfit| unfit_parameter_error(unfit, &[]))?;
        let mut proven = self.prove_read_only(&open, filled).await?;
        if !constants.is_empty() {
            let constants = constants.iter().map(|(name, value)| (name.clone(), value.value.clone())).collect();
            let found: Vec<SavedParameter> = list_parameters(&proven);
            let changed =
                vitrine_sql::with_values(&proven, &constants).map_err(|unfit| unfit_parameter_error(unfit, &found))?;
            // The changed text is proven again, also by the engine if that is needed.
            proven = self.prove_read_only(&open, changed.as_str().to_owned()).await?;
        }
        // Returns the constants that contain a given value, under the names that the library uses for them.
        let marks = marked.as_ref().map(vitrine_sql::extract_parameters).unwrap_or_default();
        let asked = |parameter: &Parameter| {
            let place = marks.iter().find(|place| place.name == parameter.name);
            let given = place.and_then(|place| blanks.iter().find(|(name, _)| place.value == placeholder_text(name)));
            constants.contains_key(&parameter.name)
                || given.is_some_and(|(_, (_, value))| value.trim() == parameter.value)
        };
        let parameters = vitrine_sql::extract_parameters(&proven)
            .into_iter()
            .filter(asked)
            .map(|parameter| parameter.name)
            .collect();
        Ok(FilledQuery { sql: proven.as_str().to_owned(), parameters })
    }

    /// Returns the query with a marker text for each placeholder, so that it can be parsed; `None` if it cannot.
    async fn fill_placeholders(&self, open: &OpenWarehouse, sql: &str, names: &[String]) -> Option<ReadOnlySql> {
        let marks = names
            .iter()
            .map(|name| (name.clone(), (vitrine_sql::ParameterKind::Text, placeholder_text(name))))
            .collect();
        let text = vitrine_sql::fill_blanks(sql, open.declared.dialect, &marks).ok()?;
        self.prove_read_only(open, text).await.ok()
    }

    /// Sets the constants for which a saved question asks when it is run.
    ///
    /// # Errors
    /// When its query has no such constant.
    pub async fn set_parameters(&self, id: String, names: Vec<String>) -> Result<SavedQuestion, AppError> {
        let mut question = self.with_store(move |store| store.saved_question(&id)).await?;
        let found = match names.is_empty() {
            true => Vec::new(),
            false => self.query_parameters(question.warehouse.clone(), question.sql.clone()).await?,
        };
        if let Some(name) = names.iter().find(|name| !found.iter().any(|parameter| parameter.name == **name)) {
            return Err(unknown_parameter_error(name, &found));
        }
        // The parameters are stored in the order of the query.
        question.filing.parameters =
            found.into_iter().map(|parameter| parameter.name).filter(|name| names.contains(name)).collect();
        self.with_store(move |store| store.save_question(&question)).await
    }

    /// Returns the query of a saved question with these values for its parameters, with a read-only proof.
    ///
    /// # Errors
    /// When a parameter does not exist, or a value does not fit.
    pub async fn filled_query(&self, id: String, values: BTreeMap<String, String>) -> Result<String, AppError> {
        let question = self.with_store(move |store| store.saved_question(&id)).await?;
        if values.is_empty() {
            return Ok(question.sql);
        }
        let open = self.ensure_open(&question.warehouse).await?;
        let sql = self.prove_read_only(&open, question.sql).await?;
        let filled = vitrine_sql::with_values(&sql, &values)
            .map_err(|unfit| unfit_parameter_error(unfit, &list_parameters(&sql)))?;
        // The changed text is proven again, also by the engine if that is needed.
        Ok(self.prove_read_only(&open, filled.as_str().to_owned()).await?.as_str().to_owned())
    }

    /// Returns the names of parameters that a changed query still has; empty if its database is not open.
    pub(super) async fn still_there(&self, question: &SavedQuestion, mut names: Vec<String>) -> Vec<String> {
        let found = match self.inner.warehouses.opened_before(&question.warehouse) {
            Some(open) => self
                .prove_read_only(&open, question.sql.clone())
                .await
                .map(|sql| list_parameters(&sql))
                .unwrap_or_default(),
            None => Vec::new(),
        };
        names.retain(|name| found.iter().any(|parameter| parameter.name == *name));
        names
    }
}

/// Returns the marker text of a placeholder while the query is parsed.
fn placeholder_text(name: &str) -> String {
    format!("vitrine:{name}")
}

/// Returns the type of a placeholder's value, inferred from the expression it is compared with; `None` if that is not known.
fn kind_in(marked: &ReadOnlySql, name: &str, catalog: &Catalog) -> Option<ParameterKind> {
    let column = match vitrine_sql::compared_with(marked, &placeholder_text(name))? {
        Subject::Column(column) => column,
        Subject::Number => return Some(ParameterKind::Number),
        Subject::Text => return Some(ParameterKind::Text),
        Subject::Other => return None,
    };
    let mut kinds = catalog
        .tables
        .iter()
        .flat_map(|table| &table.columns)
        .filter(|found| found.name.eq_ignore_ascii_case(&column))
        .map(|found| kind_of(catalog.dialect.sql().column_type(&found.data_type)));
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

fn kind_of(class: ColumnType) -> Option<ParameterKind> {
    match class {
        ColumnType::Whole | ColumnType::Decimal | ColumnType::Float => Some(ParameterKind::Number),
        ColumnType::Date | ColumnType::Timestamp => Some(ParameterKind::Date),
        ColumnType::Text => Some(ParameterKind::Text),
        ColumnType::Boolean | ColumnType::Other | ColumnType::Unknown => None,
    }
}

fn to_sql_kind(kind: ParameterKind) -> vitrine_sql::ParameterKind {
    match kind {
        ParameterKind::Date => vitrine_sql::ParameterKind::Date,
        ParameterKind::Text => vitrine_sql::ParameterKind::Text,
        ParameterKind::Number => vitrine_sql::ParameterKind::Number,
    }
}

fn list_parameters(sql: &ReadOnlySql) -> Vec<SavedParameter> {
    vitrine_sql::extract_parameters(sql).into_iter().map(to_saved_parameter).collect()
}

fn to_saved_parameter(found: Parameter) -> SavedParameter {
    SavedParameter {
        name: found.name,
        kind: match found.kind {
            vitrine_sql::ParameterKind::Date => ParameterKind::Date,
            vitrine_sql::ParameterKind::Text => ParameterKind::Text,
            vitrine_sql::ParameterKind::Number => ParameterKind::Number,
        },
        value: found.value,
        open: false,
        bound: found.bound.map(|bound| match bound {
            Bound::From => ParameterBound::From,
            Bound::After => ParameterBound::After,
            Bound::Before => ParameterBound::Before,
            Bound::UpTo => ParameterBound::UpTo,
        }),
    }
}

fn unknown_parameter_error(name: &str, found: &[SavedParameter]) -> AppError {
    let names: Vec<&str> = found.iter().map(|parameter| parameter.name.as_str()).collect();
    let hint = match names.is_empty() {
        true => tr!("Its query does not compare a column with a constant"),
        false => tr!("It has: {names}", names = names.join(", ")),
    };
    AppError::new(ErrorCode::Usage, tr!("The query has no parameter '{name}'", name)).with_hint(hint)
}

fn unfit_parameter_error(unfit: Unfit, found: &[SavedParameter]) -> AppError {
    match unfit {
        Unfit::Unknown { name } => unknown_parameter_error(&name, found),
        Unfit::Value { name, kind, example } => {
            let what = match kind {
                vitrine_sql::ParameterKind::Date => tr!("'{name}' has to be a date", name),
                vitrine_sql::ParameterKind::Text => tr!("'{name}' has to be a text of one line", name),
                vitrine_sql::ParameterKind::Number => tr!("'{name}' has to be a number", name),
            };
            AppError::new(ErrorCode::Usage, what).with_hint(tr!("Write it as the query does: {example}", example))
        }
        Unfit::Ambiguous { name, value } => {
            ambiguous_number_error(&tr!("'{name}' is not clear: {value}", name, value), &value)
        }
        Unfit::Missing { name } => AppError::new(ErrorCode::Usage, tr!("'{name}' has no value", name))
            .with_hint(tr!("Enter a value for each parameter of the query")),
        Unfit::Unproven => AppError::new(ErrorCode::Usage, tr!("The query cannot be run with these values"))
            .with_hint(tr!("Choose other values, or edit the query")),
    }
}

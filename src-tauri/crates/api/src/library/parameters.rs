//! Parameters of saved questions: constants of the query that are asked for when it is run. What they are is read from the query
//! each time; the library keeps which of them are asked for.

use crate::app::App;
use crate::types::{ParameterKind, SavedParameter, SavedQuestion};
use std::collections::BTreeMap;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_sql::{ReadOnlySql, Unfit};
use vitrine_words::tr;

impl App {
    /// The constants of a query that could be asked for, in the order of its text; none where only the engine reads it.
    ///
    /// # Errors
    /// When its database cannot be opened, or it is not proven to only read.
    pub async fn query_parameters(&self, warehouse: String, sql: String) -> Result<Vec<SavedParameter>, AppError> {
        let open = self.opened(&warehouse).await?;
        Ok(all(&self.proven(&open, sql).await?))
    }

    /// Sets which constants of a saved question are asked for when it is run.
    ///
    /// # Errors
    /// When its query has no such constant.
    pub async fn set_parameters(&self, id: String, names: Vec<String>) -> Result<SavedQuestion, AppError> {
        let mut question = self.store(move |store| store.saved_question(&id)).await?;
        let found = match names.is_empty() {
            true => Vec::new(),
            false => self.query_parameters(question.warehouse.clone(), question.sql.clone()).await?,
        };
        if let Some(name) = names.iter().find(|name| !found.iter().any(|parameter| parameter.name == **name)) {
            return Err(unknown(name, &found));
        }
        // In the order of the query.
        question.filing.parameters =
            found.into_iter().map(|parameter| parameter.name).filter(|name| names.contains(name)).collect();
        self.store(move |store| store.save_question(&question)).await
    }

    /// The query of a saved question with these values for its parameters, proven as any other.
    ///
    /// # Errors
    /// When there is no such parameter, or a value does not fit.
    pub async fn filled_query(&self, id: String, values: BTreeMap<String, String>) -> Result<String, AppError> {
        let question = self.store(move |store| store.saved_question(&id)).await?;
        if values.is_empty() {
            return Ok(question.sql);
        }
        let open = self.opened(&question.warehouse).await?;
        let sql = self.proven(&open, question.sql).await?;
        let filled = vitrine_sql::with_values(&sql, &values).map_err(|unfit| said(unfit, &all(&sql)))?;
        // Also by those who ask the engine.
        Ok(self.proven(&open, filled.as_str().to_owned()).await?.as_str().to_owned())
    }

    /// Of these parameters, those that a changed query has, too. Nothing is connected to for that.
    pub(super) async fn still_there(&self, question: &SavedQuestion, mut names: Vec<String>) -> Vec<String> {
        let found = match self.inner.warehouses.opened_before(&question.warehouse) {
            Some(open) => self.proven(&open, question.sql.clone()).await.map(|sql| all(&sql)).unwrap_or_default(),
            None => Vec::new(),
        };
        names.retain(|name| found.iter().any(|parameter| parameter.name == *name));
        names
    }
}

fn all(sql: &ReadOnlySql) -> Vec<SavedParameter> {
    let parameter = |found: vitrine_sql::Parameter| SavedParameter {
        name: found.name,
        kind: match found.kind {
            vitrine_sql::ParameterKind::Date => ParameterKind::Date,
            vitrine_sql::ParameterKind::Text => ParameterKind::Text,
            vitrine_sql::ParameterKind::Number => ParameterKind::Number,
        },
        value: found.value,
    };
    vitrine_sql::parameters(sql).into_iter().map(parameter).collect()
}

fn unknown(name: &str, found: &[SavedParameter]) -> AppError {
    let names: Vec<&str> = found.iter().map(|parameter| parameter.name.as_str()).collect();
    let hint = match names.is_empty() {
        true => tr!("Its query compares no column with a constant"),
        false => tr!("It has: {names}", names = names.join(", ")),
    };
    AppError::new(ErrorCode::Usage, tr!("The query has no parameter '{name}'", name)).hint(hint)
}

fn said(unfit: Unfit, found: &[SavedParameter]) -> AppError {
    match unfit {
        Unfit::Unknown { name } => unknown(&name, found),
        Unfit::Value { name, kind, example } => {
            let what = match kind {
                vitrine_sql::ParameterKind::Date => tr!("'{name}' has to be a date", name),
                vitrine_sql::ParameterKind::Text => tr!("'{name}' has to be a text of one line", name),
                vitrine_sql::ParameterKind::Number => tr!("'{name}' has to be a number", name),
            };
            AppError::new(ErrorCode::Usage, what).hint(tr!("Write it as the query does: {example}", example))
        }
        Unfit::Unproven => AppError::new(ErrorCode::Usage, tr!("The query cannot be run with these values"))
            .hint(tr!("Choose other values, or edit the query")),
    }
}

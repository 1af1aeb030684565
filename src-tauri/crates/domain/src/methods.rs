//! The parameters of the published methods, with the papers' values as defaults. `auto` and AV-SQL have theirs in
//! [`AskSettings`](crate::AskSettings); what a paper leaves to the size of the model or the schema is an `Option` here.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// How CHASE-SQL's answer is chosen among its candidates (paper, table 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// Every two results are compared, both ways round (Algorithm 3).
    Pairwise,
    /// The most common result.
    SelfConsistency,
    /// One call ranks all results.
    Ranker,
}

/// When ReFoRCE explores columns (paper, section 3.2.3 and table 3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum ExploreWhen {
    /// Where the vote is a tie.
    #[default]
    Tie,
    /// Before any candidate is written.
    Always,
}

/// DSR-SQL (paper, section 4.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub struct DsrSql {
    /// Samples whose tables and columns are united when the whole schema is read.
    pub samples: u32,
    /// Probing queries of the alignment.
    pub probes: u32,
    /// Steps of the generation state; `None` is 20, or 10 where the whole schema fits into one prompt.
    pub steps: Option<u32>,
    /// Corrections of one step's query.
    pub fixes: u32,
}

impl Default for DsrSql {
    fn default() -> Self {
        Self { samples: 3, probes: 5, steps: None, fixes: 5 }
    }
}

/// CHASE-SQL (paper, sections 3.2 to 3.5, appendix A.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub struct ChaseSql {
    /// Candidates of each generator; `None` is the paper's 7, or 3 with a model on this machine.
    pub candidates: Option<u32>,
    /// Synthetic examples of each of the two kinds; `None` is the paper's 75 in all, or 3 of each with a small context.
    pub examples: Option<u32>,
    /// Rounds of the fixer for one candidate, the paper's beta.
    pub fixes: u32,
    /// How the answer is chosen; `None` is the paper's comparison of every two, or the most common result with a model that
    /// does not deliberate.
    pub select: Option<Selection>,
    /// Results that are compared at most; the most common ones are taken.
    pub compared: u32,
}

impl Default for ChaseSql {
    fn default() -> Self {
        Self { candidates: None, examples: None, fixes: 3, select: None, compared: 6 }
    }
}

/// ReFoRCE (paper, sections 3.2 and 4.1, appendix C).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub struct Reforce {
    /// Candidates that vote, the paper's k.
    pub votes: u32,
    /// Rounds of self-refinement for one candidate.
    pub rounds: u32,
    /// Probing queries of a column exploration.
    pub probes: u32,
    /// Tables are selected only where the compressed schema has more tokens than this.
    #[specta(type = f64)]
    pub link_above: u64,
    /// When columns are explored.
    pub explore: ExploreWhen,
}

impl Default for Reforce {
    fn default() -> Self {
        Self { votes: 8, rounds: 5, probes: 10, link_above: 50_000, explore: ExploreWhen::Tie }
    }
}

/// ProSPy (paper, sections 3.2 to 3.4 and 5.1, appendix A).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub struct Prospy {
    /// Pruning rounds of one pass, at most: a pass ends sooner where nothing more is left out.
    pub prunings: u32,
    /// Views fetched one after the other.
    pub views: u32,
    /// Executions of the analysis.
    pub executions: u32,
    /// Rows kept of one view.
    #[specta(type = f64)]
    pub view_rows: u64,
}

impl Default for Prospy {
    fn default() -> Self {
        Self { prunings: 3, views: 4, executions: 3, view_rows: 200_000 }
    }
}

/// The parameters of all methods; recorded with each run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Methods {
    /// DSR-SQL.
    pub dsr_sql: DsrSql,
    /// CHASE-SQL.
    pub chase_sql: ChaseSql,
    /// ReFoRCE.
    pub reforce: Reforce,
    /// ProSPy.
    pub prospy: Prospy,
}

impl Methods {
    /// Every key that [`Methods::set`] takes, with its value: `chase-sql.fixes`, `3`.
    pub fn keys(&self) -> Vec<(String, String)> {
        let Ok(Value::Object(methods)) = serde_json::to_value(self) else { return Vec::new() };
        let of = |(method, parameters): (String, Value)| -> Vec<(String, String)> {
            let Value::Object(parameters) = parameters else { return Vec::new() };
            parameters.into_iter().map(|(name, value)| (format!("{method}.{name}"), written(&value))).collect()
        };
        methods.into_iter().flat_map(of).collect()
    }

    /// Sets one parameter, as `--set KEY=VALUE` says it; `auto` stands for what the size of model and schema decide.
    ///
    /// # Errors
    /// Says which keys there are, or which values a key takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let mut all = serde_json::to_value(&*self).map_err(|e| e.to_string())?;
        let place = key.split_once('.').and_then(|(method, name)| all.get_mut(method)?.get_mut(name));
        let Some(place) = place else {
            let keys: Vec<String> = self.keys().into_iter().map(|(key, _)| key).collect();
            return Err(format!("unknown key '{key}': use {}", keys.join(", ")));
        };
        *place = match value {
            "auto" => Value::Null,
            _ => value.parse::<u64>().map_or_else(|_| Value::from(value), Value::from),
        };
        *self = serde_json::from_value(all).map_err(|e| format!("{key} cannot be '{value}': {e}"))?;
        Ok(())
    }

    /// Why the parameters cannot be worked with; each bound keeps a run from growing without end.
    ///
    /// # Errors
    /// Names the key and its bounds.
    pub fn check(&self) -> Result<(), String> {
        let (chase, dsr) = (&self.chase_sql, &self.dsr_sql);
        let bounds = [
            ("dsr-sql.samples", u64::from(dsr.samples), 1, 16),
            ("dsr-sql.probes", u64::from(dsr.probes), 1, 20),
            ("dsr-sql.steps", u64::from(dsr.steps.unwrap_or(10)), 1, 50),
            ("dsr-sql.fixes", u64::from(dsr.fixes), 0, 10),
            ("chase-sql.candidates", u64::from(chase.candidates.unwrap_or(7)), 1, 32),
            ("chase-sql.examples", u64::from(chase.examples.unwrap_or(3)), 1, 75),
            ("chase-sql.fixes", u64::from(chase.fixes), 0, 10),
            ("chase-sql.compared", u64::from(chase.compared), 2, 16),
            ("reforce.votes", u64::from(self.reforce.votes), 1, 64),
            ("reforce.rounds", u64::from(self.reforce.rounds), 0, 10),
            ("reforce.probes", u64::from(self.reforce.probes), 1, 20),
            ("prospy.prunings", u64::from(self.prospy.prunings), 1, 10),
            ("prospy.views", u64::from(self.prospy.views), 1, 12),
            ("prospy.executions", u64::from(self.prospy.executions), 1, 10),
            ("prospy.view_rows", self.prospy.view_rows, 1, 10_000_000),
        ];
        match bounds.into_iter().find(|(_, value, least, most)| value < least || value > most) {
            Some((key, value, least, most)) => Err(format!("{key} cannot be {value}: choose {least} to {most}")),
            None => Ok(()),
        }
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => "auto".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_by_key() {
        let mut methods = Methods::default();
        methods.set("chase-sql.fixes", "1").unwrap();
        methods.set("chase-sql.select", "ranker").unwrap();
        methods.set("dsr-sql.steps", "7").unwrap();
        assert_eq!((methods.chase_sql.fixes, methods.chase_sql.select), (1, Some(Selection::Ranker)));
        assert_eq!(methods.dsr_sql.steps, Some(7));
        methods.set("dsr-sql.steps", "auto").unwrap();
        assert_eq!(methods.dsr_sql.steps, None);
        assert!(methods.keys().contains(&("reforce.explore".to_owned(), "tie".to_owned())));
    }

    #[test]
    fn what_cannot_be_set_is_said_with_what_can() {
        let mut methods = Methods::default();
        assert!(methods.set("reforce.fix", "1").unwrap_err().contains("reforce.votes"));
        assert!(methods.set("reforce.votes", "many").unwrap_err().contains("reforce.votes cannot be 'many'"));
        assert!(methods.set("chase-sql.select", "dice").unwrap_err().contains("self-consistency"));
        assert_eq!(methods, Methods::default());
        methods.set("reforce.votes", "1000").unwrap();
        assert_eq!(methods.check(), Err("reforce.votes cannot be 1000: choose 1 to 64".to_owned()));
    }
}

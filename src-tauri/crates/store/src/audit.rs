//! The audit log: every query that ran for a user or was refused. It is append-only: the database rejects changes and
//! deletions, and each row contains the hash of the previous row, so that tampering is detected. The user decides how
//! long it is kept: no function here deletes it, even when its runs are deleted.

use crate::runs::{count_from_sql, name_of, read_variant_column};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use specta::Type;

/// The outcome of a query in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AuditVerdict {
    /// It was proven to be read-only, and ran.
    Ran,
    /// It was not permitted, and did not run.
    Refused,
    /// It was proven to be read-only, and the database returned an error.
    Failed,
    /// The execution of the query was cancelled.
    Cancelled,
    /// A user approved exactly this text for this warehouse; it has not run yet.
    Approved,
    /// A user revoked the approval of the text.
    Revoked,
    /// Its result was passed to an external program. If the query ran for that, it has its own row.
    Told,
}

/// The author of a query's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum QueryAuthor {
    /// The user, who typed, edited or saved it.
    User,
    /// A model, for an intermediate step or as the answer.
    Model,
    /// Vitrine itself: sample rows, steps and rows behind a result, counts, and checks of an answer.
    App,
    /// An external program, such as an agent.
    Program,
}

/// An entry of the audit log before it gets its number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// The time of the entry; RFC 3339, UTC.
    pub at: String,
    /// The warehouse's address, without secrets.
    pub warehouse: String,
    /// The question that the query answers; `None` if the user wrote the query.
    pub question: Option<String>,
    /// The query as sent or refused.
    pub sql: String,
    /// SHA-256 of the query's text, 64 hex digits.
    pub sql_sha256: String,
    /// The outcome of the query.
    pub verdict: AuditVerdict,
    /// The reason why it returned no result.
    pub reason: Option<String>,
    /// Number of rows that were read.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// Number of bytes that were read: of text in a run, of memory if a result is paged or exported.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// The model that answers the question.
    pub model: Option<String>,
    /// Number of tokens that the run had used before the query.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// The run that the query belongs to.
    pub run_id: Option<String>,
    /// The user of the operating system who approved or refused the text or revoked an approval. Rows without this
    /// field keep the hash of versions without approvals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(optional)]
    pub decided_by: Option<String>,
    /// The external program that requested the query, by the name that it reports; `None` if the user did. Rows without
    /// this field keep the hash of versions that did not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The author of the query. Missing in rows of earlier versions and in rows without a query, which keep their hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(optional)]
    pub author: Option<QueryAuthor>,
}

/// A row of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    /// The number of the row: 1, 2, 3 ... without gaps.
    #[specta(type = f64)]
    pub number: u64,
    /// The content of the row.
    #[serde(flatten)]
    pub entry: AuditEntry,
    /// SHA-256 of the row and the previous row's hash, 64 hex digits.
    pub hash: String,
}

/// The result of checking the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditCheck {
    /// Number of rows in the log.
    #[specta(type = f64)]
    pub rows: u64,
    /// The number of the first row that was changed, or that follows a removed row; `None` if the log is intact.
    #[specta(type = Option<f64>)]
    pub broken_at: Option<u64>,
    /// The hash of the last row. A copy kept elsewhere reveals the removal of rows at the end.
    pub last_hash: String,
}

const COLUMNS: &str =
    "number, at, warehouse, question, sql, sql_sha256, verdict, reason, row_count, bytes, model, tokens, run_id, hash,
     decided_by, receiver, author";

fn read_audit_row(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    let counted = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(count_from_sql));
    let entry = AuditEntry {
        at: row.get(1)?,
        warehouse: row.get(2)?,
        question: row.get(3)?,
        sql: row.get(4)?,
        sql_sha256: row.get(5)?,
        verdict: read_variant_column(row, 6)?,
        reason: row.get(7)?,
        rows: counted(8)?,
        bytes: counted(9)?,
        model: row.get(10)?,
        tokens: counted(11)?,
        run_id: row.get(12)?,
        decided_by: row.get(14)?,
        receiver: row.get(15)?,
        author: row.get::<_, Option<String>>(16)?.map(|_| read_variant_column(row, 16)).transpose()?,
    };
    Ok(AuditRow { number: row.get(0).map(count_from_sql)?, entry, hash: row.get(13)? })
}

/// Returns the SHA-256 of a text as hex digits.
pub fn sha256_hex(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash_of(previous: &str, number: u64, entry: &AuditEntry) -> String {
    sha256_hex(&format!("{previous}\n{number}\n{}", serde_json::to_string(entry).expect("plain data")))
}

fn read_last_hash(connection: &Connection) -> rusqlite::Result<(u64, String)> {
    connection
        .prepare_cached("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0).map(count_from_sql)?, row.get(1)?)))
        .optional()
        .map(Option::unwrap_or_default)
}

impl Store {
    /// Appends a query to the audit log; it is on disk when this returns, like an event of a run.
    pub fn append_audit_entry(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let stored = |number: Option<u64>| number.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        self.with_transaction(|transaction| {
            let (number, previous) = read_last_hash(transaction)?;
            let number = number + 1;
            transaction
                .prepare_cached(&format!(
                    "INSERT INTO audit ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
                ))?
                .execute(params![
                    stored(Some(number)),
                    entry.at,
                    entry.warehouse,
                    entry.question,
                    entry.sql,
                    entry.sql_sha256,
                    name_of(entry.verdict),
                    entry.reason,
                    stored(entry.rows),
                    stored(entry.bytes),
                    entry.model,
                    stored(entry.tokens),
                    entry.run_id,
                    hash_of(&previous, number, entry),
                    entry.decided_by,
                    entry.receiver,
                    entry.author.map(name_of),
                ])?;
            Ok(())
        })
    }

    /// Returns queries whose text, question, address or receiver contains every word of `search`, latest first; with an
    /// `author`, only the queries of that author.
    pub fn find_audit_rows(
        &self,
        search: &str,
        author: Option<QueryAuthor>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<AuditRow>, StoreError> {
        let select = format!(
            "SELECT {COLUMNS} FROM audit
             WHERE holds(warehouse || ' ' || coalesce(question, '') || ' ' || sql || ' ' || verdict || ' ' ||
                         coalesce(receiver, ''), ?1)
                   AND (?2 IS NULL OR author = ?2)
             ORDER BY number DESC LIMIT ?3 OFFSET ?4"
        );
        let author = author.map(name_of);
        self.with_reader(|connection| {
            connection
                .prepare_cached(&select)?
                .query_map(params![search, author, limit, offset], read_audit_row)?
                .collect()
        })
    }

    /// Calls `each` with every row in order, reading a bounded number at a time.
    pub fn each_audited(&self, mut each: impl FnMut(AuditRow)) -> Result<(), StoreError> {
        const AT_ONCE: u32 = 1_000;
        let select = format!("SELECT {COLUMNS} FROM audit WHERE number > ?1 ORDER BY number LIMIT ?2");
        let mut after = 0;
        loop {
            let rows: Vec<AuditRow> = self.with_reader(|connection| {
                connection.prepare_cached(&select)?.query_map(params![after, AT_ONCE], read_audit_row)?.collect()
            })?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = i64::try_from(last.number).unwrap_or(i64::MAX);
            rows.into_iter().for_each(&mut each);
        }
    }

    /// Checks that exactly this text is approved for a warehouse and the approval was not revoked.
    pub fn is_approved(&self, warehouse: &str, sql_sha256: &str) -> Result<bool, StoreError> {
        let select = "SELECT verdict = 'approved' FROM audit
             WHERE warehouse = ?1 AND sql_sha256 = ?2 AND decided_by IS NOT NULL AND verdict IN ('approved', 'revoked')
             ORDER BY number DESC LIMIT 1";
        self.with_reader(|connection| {
            let found = connection.prepare_cached(select)?.query_row([warehouse, sql_sha256], |row| row.get(0));
            found.optional().map(|approved| approved == Some(true))
        })
    }

    /// Returns the valid approvals of a warehouse, latest first.
    pub fn approvals(&self, warehouse: &str) -> Result<Vec<AuditRow>, StoreError> {
        let select = format!(
            "SELECT {COLUMNS} FROM audit
             WHERE verdict = 'approved' AND number IN (
                 SELECT max(number) FROM audit
                 WHERE warehouse = ?1 AND decided_by IS NOT NULL AND verdict IN ('approved', 'revoked')
                 GROUP BY sql_sha256)
             ORDER BY number DESC"
        );
        self.with_reader(|connection| {
            connection.prepare_cached(&select)?.query_map([warehouse], read_audit_row)?.collect()
        })
    }

    /// Checks the whole audit log for changed or removed rows.
    pub fn check_audit(&self) -> Result<AuditCheck, StoreError> {
        let mut check = AuditCheck::default();
        self.each_audited(|row| {
            let expected = hash_of(&check.last_hash, check.rows + 1, &row.entry);
            if check.broken_at.is_none() && (row.number != check.rows + 1 || row.hash != expected) {
                check.broken_at = Some(row.number);
            }
            check.rows += 1;
            check.last_hash = row.hash;
        })?;
        Ok(check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_entry(sql: &str) -> AuditEntry {
        AuditEntry {
            at: "2026-01-01T00:00:00.000Z".into(),
            warehouse: "duckdb:/shop".into(),
            question: Some("How many customers?".into()),
            sql: sql.into(),
            sql_sha256: sha256_hex(sql),
            verdict: AuditVerdict::Ran,
            reason: None,
            rows: Some(1),
            bytes: Some(8),
            model: Some("m".into()),
            tokens: Some(10),
            run_id: None,
            decided_by: None,
            receiver: None,
            author: None,
        }
    }

    fn make_audited_store(dir: &tempfile::TempDir) -> Store {
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        for number in 1..=5 {
            store.append_audit_entry(&make_entry(&format!("SELECT {number}"))).unwrap();
        }
        store
    }

    /// Changes the file from another connection, as an attacker would.
    fn tamper_with_file(dir: &tempfile::TempDir, sql: &str) -> rusqlite::Result<()> {
        Connection::open(dir.path().join("w.db")).unwrap().execute_batch(sql)
    }

    #[test]
    fn what_ran_is_listed_the_latest_first_and_found_by_words() {
        let dir = tempfile::tempdir().unwrap();
        let store = make_audited_store(&dir);
        let rows = store.find_audit_rows("", None, 2, 1).unwrap();
        assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [4, 3]);
        assert_eq!(rows[0].entry, make_entry("SELECT 4"));
        assert_eq!(rows[0].entry.sql_sha256.len(), 64);
        assert_eq!(store.find_audit_rows("customers ran", None, 10, 0).unwrap().len(), 5);
        assert!(store.find_audit_rows("suppliers", None, 10, 0).unwrap().is_empty());
        let check = store.check_audit().unwrap();
        assert_eq!((check.rows, check.broken_at), (5, None));
        assert_eq!(check.last_hash, store.find_audit_rows("", None, 1, 0).unwrap()[0].hash);
    }

    #[test]
    fn an_approval_holds_for_its_text_and_its_warehouse_until_it_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let store = make_audited_store(&dir);
        let decided = |verdict, sql: &str| {
            let decided = AuditEntry { verdict, decided_by: Some("ann".into()), ..make_entry(sql) };
            store.append_audit_entry(&decided).unwrap();
        };
        let holds = |warehouse: &str, sql: &str| store.is_approved(warehouse, &sha256_hex(sql)).unwrap();
        assert!(!holds("duckdb:/shop", "SELECT 1"), "that it ran is no approval");
        decided(AuditVerdict::Approved, "SELECT 1");
        decided(AuditVerdict::Refused, "SELECT 2");
        assert!(holds("duckdb:/shop", "SELECT 1") && !holds("duckdb:/shop", "SELECT 2"));
        assert!(!holds("duckdb:/shop", "SELECT  1") && !holds("duckdb:/other", "SELECT 1"));
        let listed = store.approvals("duckdb:/shop").unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].entry.decided_by.as_deref(), Some("ann"));
        decided(AuditVerdict::Revoked, "SELECT 1");
        assert!(!holds("duckdb:/shop", "SELECT 1") && store.approvals("duckdb:/shop").unwrap().is_empty());
        decided(AuditVerdict::Approved, "SELECT 1");
        assert!(holds("duckdb:/shop", "SELECT 1"));
        assert_eq!(store.check_audit().unwrap().broken_at, None);
    }

    #[test]
    fn rows_of_earlier_versions_keep_their_hash() {
        let text = serde_json::to_string(&make_entry("SELECT 1")).unwrap();
        assert!(!text.contains("decidedBy") && text.ends_with(r#""runId":null}"#), "{text}");
        // The hash of the first row, computed with sha256sum from the text that earlier versions hashed.
        let hashed = "\n1\n{\"at\":\"2026-01-01T00:00:00.000Z\",\"warehouse\":\"duckdb:/shop\",\"question\":\"How many customers?\",\"sql\":\"SELECT 1\",\"sqlSha256\":\"e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5\",\"verdict\":\"ran\",\"reason\":null,\"rows\":1,\"bytes\":8,\"model\":\"m\",\"tokens\":10,\"runId\":null}";
        assert_eq!(hash_of("", 1, &make_entry("SELECT 1")), sha256_hex(hashed));
    }

    #[test]
    fn the_author_of_a_query_is_kept_filtered_by_and_part_of_the_hash() {
        let dir = tempfile::tempdir().unwrap();
        // Rows of an earlier version come first.
        let store = make_audited_store(&dir);
        let authors = [QueryAuthor::User, QueryAuthor::Model, QueryAuthor::App, QueryAuthor::Program];
        for author in authors {
            store.append_audit_entry(&AuditEntry { author: Some(author), ..make_entry("SELECT 1") }).unwrap();
        }
        for (author, number) in authors.into_iter().zip(6..) {
            let rows = store.find_audit_rows("", Some(author), 10, 0).unwrap();
            assert_eq!(
                rows.iter().map(|row| (row.number, row.entry.author)).collect::<Vec<_>>(),
                [(number, Some(author))]
            );
        }
        assert!(store.find_audit_rows("suppliers", Some(QueryAuthor::User), 10, 0).unwrap().is_empty());
        assert_eq!(store.find_audit_rows("", None, 10, 0).unwrap().len(), 9);
        assert_eq!(store.check_audit().unwrap().broken_at, None);
        tamper_with_file(&dir, "DROP TRIGGER audit_is_not_changed; UPDATE audit SET author = 'user' WHERE number = 7")
            .unwrap();
        assert_eq!(store.check_audit().unwrap().broken_at, Some(7));
    }

    #[test]
    fn the_database_refuses_to_change_or_delete() {
        let dir = tempfile::tempdir().unwrap();
        let store = make_audited_store(&dir);
        for sql in
            ["DELETE FROM audit", "UPDATE audit SET sql = 'x'", "INSERT OR REPLACE INTO audit SELECT * FROM audit"]
        {
            let error = tamper_with_file(&dir, sql).unwrap_err().to_string();
            assert!(error.contains("audit"), "{sql}: {error}");
        }
        assert_eq!(store.check_audit().unwrap().rows, 5);
    }

    #[test]
    fn a_row_that_was_changed_or_removed_all_the_same_is_seen() {
        for (sql, broken) in [
            ("UPDATE audit SET sql = 'SELECT 33' WHERE number = 3", Some(3)),
            ("DELETE FROM audit WHERE number = 3", Some(4)),
            ("DELETE FROM audit WHERE number = 1", Some(2)),
            ("SELECT 1", None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let store = make_audited_store(&dir);
            tamper_with_file(&dir, &format!("DROP TRIGGER audit_stays; DROP TRIGGER audit_is_not_changed; {sql}"))
                .unwrap();
            assert_eq!(store.check_audit().unwrap().broken_at, broken, "{sql}");
        }
    }
}

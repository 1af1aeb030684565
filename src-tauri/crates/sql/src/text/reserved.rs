//! Words that cannot be names without quotes.

use crate::dialect::DialectExt;
use std::collections::HashSet;
use std::sync::LazyLock;
use vitrine_domain::Dialect;

/// Words that some dialect rejects as an unquoted name in some position. A superfluous word is harmless.
const RESERVED: &str = "\
    abort add after all alter always analyse analyze and anti any array as asc asof asymmetric at attach \
    authorization autoincrement before begin between bigint binary both by call cascade case cast check collate \
    collation column columns commit concurrently conflict connect constraint contains create cross cube current \
    current_catalog current_date current_role current_schema current_time current_timestamp current_user database \
    default deferrable deferred delete desc describe detach distinct do drop each else end enum escape except \
    exclude exclusive execute exists explain extract fail false fetch filter first following for foreign freeze from \
    full function generated glob grant group grouping groups hash having if ignore ilike immediate in index indexed \
    initially inner insert instead interpolate intersect interval into is isnull join key lambda last lateral \
    leading left like limit localtime localtimestamp lookup map match materialized merge minus natural new no not \
    nothing notnull null nulls of off offset old on only or order others outer over overlaps partition pivot placing \
    plan positional pragma preceding primary proto qualify query raise range recursive references regexp reindex \
    release rename replace respect restrict returning right rlike rollback rollup row rows savepoint sample select \
    semi session_user set show similar some start struct symmetric table tablesample temp temporary then ties to \
    trailing transaction treat trigger true try_cast unbounded union unique unnest unpivot update user using vacuum \
    values variadic verbose view virtual when where window with within without";

/// Returns true if a dialect may interpret an unquoted word as a keyword.
pub(crate) fn is_reserved(word: &str, dialect: Dialect) -> bool {
    static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
    let word = word.to_ascii_lowercase();
    COMMON.contains(word.as_str()) || dialect.sql().is_reserved_word(&word)
}

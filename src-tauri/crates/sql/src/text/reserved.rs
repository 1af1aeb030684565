//! Words that cannot be names without quotes.

use std::collections::HashSet;
use std::sync::OnceLock;
use vitrine_domain::Dialect;

/// Words that some dialect rejects as an unquoted name in some position. A superfluous word is harmless.
const RESERVED: &str = "abort add after all alter always analyse analyze and anti any array as asc asof asymmetric at \
attach authorization autoincrement before begin between bigint binary both by call cascade case cast check collate collation \
column columns commit concurrently conflict connect constraint contains create cross cube current current_catalog \
current_date current_role current_schema current_time current_timestamp current_user database default deferrable deferred \
delete desc describe detach distinct do drop each else end enum escape except exclude exclusive execute exists explain extract \
fail false fetch filter first following for foreign freeze from full function generated glob grant group grouping groups hash \
having if ignore ilike immediate in index indexed initially inner insert instead interpolate intersect interval into is isnull \
join key lambda last lateral leading left like limit localtime localtimestamp lookup map match materialized merge minus natural \
new no not nothing notnull null nulls of off offset old on only or order others outer over overlaps partition pivot placing \
plan positional pragma preceding primary proto qualify query raise range recursive references regexp reindex release rename \
replace respect restrict returning right rlike rollback rollup row rows savepoint sample select semi session_user set show \
similar some start struct symmetric table tablesample temp temporary then ties to trailing transaction treat trigger true \
try_cast unbounded union unique unnest unpivot update user using vacuum values variadic verbose view virtual when where window \
with within without";

/// Additional reserved words of MySQL and MariaDB.
const IN_MYSQL: &str = "accessible asensitive blob change character condition continue convert cume_dist cursor \
databases day_hour day_microsecond day_minute day_second dec decimal declare delayed dense_rank deterministic distinctrow div \
double dual elseif empty enclosed escaped exit first_value float float4 float8 force fulltext get high_priority \
hour_microsecond hour_minute hour_second inout insensitive int int1 int2 int3 int4 int8 integer io_after_gtids io_before_gtids \
iterate json_table keys kill lag last_value lead leave linear lines load lock long longblob longtext loop low_priority \
master_bind master_ssl_verify_server_cert maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second \
mod modifies no_write_to_binlog nth_value ntile numeric offset optimize optimizer_costs option optionally out outfile \
percent_rank precision procedure purge rank read reads read_write real regexp repeat require resignal return revoke rlike \
row_number schema schemas second_microsecond sensitive separator set signal smallint spatial specific sql sql_big_result \
sql_calc_found_rows sql_small_result sqlexception sqlstate sqlwarning ssl starting stored straight_join system terminated \
tinyblob tinyint tinytext undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter while \
write xor year_month zerofill";

/// Additional reserved words of Snowflake.
const IN_SNOWFLAKE: &str = "account connection gscluster increment issue organization schema whenever";

/// Additional reserved words of BigQuery.
const IN_BIGQUERY: &str = "assert_rows_modified define";

/// Additional reserved words of SQL Server.
const IN_MSSQL: &str = "backup break browse bulk checkpoint close clustered compute containstable continue cursor dbcc deallocate declare deny \
disk distributed double dump errlvl exec exit file fillfactor freetext freetexttable goto holdlock identity \
identity_insert identitycol kill lineno load national nocheck nonclustered offsets open opendatasource openquery \
openrowset openxml option percent precision print proc procedure public raiserror read readtext reconfigure replication \
restore return revert revoke rowcount rowguidcol rule save schema securityaudit setuser shutdown statistics system_user \
textsize top tran truncate tsequal updatetext use waitfor while writetext";

/// Returns true if a dialect may interpret an unquoted word as a keyword.
pub(crate) fn is_reserved(word: &str, dialect: Dialect) -> bool {
    static COMMON: OnceLock<HashSet<&'static str>> = OnceLock::new();
    static MYSQL: OnceLock<HashSet<&'static str>> = OnceLock::new();
    static MSSQL: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let set = |words: &'static str| words.split_whitespace().collect::<HashSet<_>>();
    let word = word.to_ascii_lowercase();
    let word = word.as_str();
    COMMON.get_or_init(|| set(RESERVED)).contains(word)
        || match dialect {
            Dialect::Mysql => MYSQL.get_or_init(|| set(IN_MYSQL)).contains(word),
            Dialect::Mssql => MSSQL.get_or_init(|| set(IN_MSSQL)).contains(word),
            Dialect::Snowflake => IN_SNOWFLAKE.split(' ').any(|known| known == word),
            Dialect::Bigquery => IN_BIGQUERY.split(' ').any(|known| known == word),
            _ => false,
        }
}

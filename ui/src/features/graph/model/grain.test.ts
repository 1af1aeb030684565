import { expect, it } from "vitest";
import { rowsFor } from "./grain";

it.each<[string, string[]]>([
  ["SELECT store_id, COUNT(*) FROM customers GROUP BY store_id", ["store_id"]],
  ['SELECT 1 FROM t AS "a b" GROUP BY "a b"."the store", s.year HAVING SUM(a) > 1', ["the store", "year"]],
  ["SELECT 1 FROM t GROUP BY `s`.`store nm` ORDER BY 2 DESC LIMIT 10;", ["store nm"]],
  ["WITH a AS (SELECT x FROM t GROUP BY x) SELECT y, SUM(z) FROM a -- why\nGROUP\n BY y", ["y"]],
  ["WITH a AS (SELECT x FROM t GROUP BY x) SELECT * FROM a", []],
  ["SELECT * FROM (SELECT x FROM t GROUP BY x) ORDER BY x", []],
  // Computed values, counts and more than two columns are omitted.
  ["SELECT 1 FROM t GROUP BY 1", []],
  ["SELECT 1 FROM t GROUP BY date_trunc('month', d)", []],
  ["SELECT 1 FROM t GROUP BY ALL", []],
  ["SELECT 1 FROM t GROUP BY a, b, c", []],
  ["SELECT 1 FROM t GROUP BY ROLLUP (a, b)", []],
  ["SELECT a FROM t GROUP BY a UNION SELECT b FROM u GROUP BY b", []],
  ["SELECT 'GROUP BY a' FROM t", []],
  ["", []],
])("reads what one row of %s is", (sql, columns) => {
  expect(rowsFor(sql, null)).toEqual(columns);
});

## time
SELECT levenshtein(repeat('a', 400000), repeat('b', 400000))
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
SELECT count(*) FROM range(10000000000) a, range(10000000000) b
SELECT regexp_matches(repeat('a', 1000000) || '!', '(a*)*(a*)*(a*)*b')
SELECT list_reduce(range(100000000), (a, b) -> a + b)
## memory
SELECT len(range(900000000))
SELECT string_agg(repeat(i::VARCHAR, 1000), ',') FROM range(10000000) t(i)
SELECT list(a.i) FROM range(100000) a(i), range(100000) b
SELECT repeat('x', 2000000000) || repeat('y', 2000000000)
SELECT median(i) OVER (ORDER BY i) FROM range(100000000) t(i)

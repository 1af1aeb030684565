## time
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
SELECT count(*) FROM customers a, customers b, customers c, customers d, customers e, customers f, customers g, customers h, customers i, customers j, customers k, customers l, customers m
SELECT instr(printf('%.*c', 200000000, 'a'), printf('%.*c', 100000000, 'a') || 'b')
SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%ab'
SELECT replace(replace(printf('%.*c', 1000000, 'a'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'bbbbbbbbbb')
## memory
SELECT group_concat(a.note || printf('%.*c', 50000000, 'x')) FROM customers a, customers b
SELECT printf('%.*c', 1000000000, 'x')
WITH RECURSIVE n(t) AS (SELECT 'x' UNION ALL SELECT t || t FROM n) SELECT max(length(t)) FROM n

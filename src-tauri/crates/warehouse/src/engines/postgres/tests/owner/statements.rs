//! Additions of an owner to a database with the statement that would run them, and statements over ordinary databases.

pub(crate) const SHOP: &str = "
    CREATE TABLE orders (id int, region text, price numeric, tags text[], placed date);
    INSERT INTO orders VALUES (1, 'north', 10.50, '{a,b}', '2024-01-15'), (2, 'south', 20, '{b}', '2024-02-20'),
                              (3, NULL, NULL, NULL, '2024-02-29');";

/// A script of the owner, and a statement that would call its code. `MARK` starts a body that leaves a mark.
pub(crate) const HOSTILE: &[(&str, &str)] = &[
    // Names that the proof allows and this server does not define.
    ("CREATE FUNCTION nvl(numeric, int) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT nvl(price, 0) FROM orders"),
    ("CREATE FUNCTION evil.next(numeric, numeric) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE AGGREGATE median(numeric) (sfunc = evil.next, stype = numeric)", "SELECT median(price) FROM orders"),
    ("CREATE FUNCTION evil.next(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE AGGREGATE any_value(text) (sfunc = evil.next, stype = text)", "SELECT any_value(region) FROM orders"),
    ("CREATE FUNCTION evil.next(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE AGGREGATE group_concat(text) (sfunc = evil.next, stype = text)", "SELECT group_concat(region) FROM orders"),
    ("CREATE FUNCTION ifnull(numeric, int) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT ifnull(price, 0) FROM orders"),
    ("CREATE FUNCTION iif(boolean, text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN $2; END $$", "SELECT iif(price > 1, 'a', 'b') FROM orders"),
    ("CREATE FUNCTION similarity(text, text) RETURNS real LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT similarity(region, 'nort') FROM orders"),
    ("CREATE FUNCTION levenshtein(text, text) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT max(levenshtein(region, 'x')) FROM orders"),
    ("CREATE FUNCTION st_distance(text, text) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT st_distance(region, region) FROM orders"),
    ("CREATE FUNCTION json_array(int) RETURNS json LANGUAGE plpgsql AS $$ MARK RETURN '[]'; END $$", "SELECT json_array(id) FROM orders"),
    ("CREATE FUNCTION json_value(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT json_value(region, '$.a') FROM orders"),
    // Built-in names with argument types that match the owner's function better.
    ("CREATE FUNCTION upper(int) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN 'x'; END $$", "SELECT upper(5)"),
    ("CREATE FUNCTION round(int, int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT round(id, 2) FROM orders"),
    ("CREATE FUNCTION length(int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT id FROM orders WHERE length(id) = 1"),
    ("CREATE FUNCTION concat(int, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT concat(id, region) FROM orders"),
    ("CREATE FUNCTION substr(int, int) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT substr(id, 1) FROM orders"),
    ("CREATE FUNCTION lower(date) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT lower(placed) FROM orders GROUP BY lower(placed)"),
    ("CREATE FUNCTION to_char(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT to_char(region, 'YYYY') FROM orders"),
    ("CREATE FUNCTION date_trunc(text, text) RETURNS date LANGUAGE plpgsql AS $$ MARK RETURN now(); END $$", "SELECT date_trunc('month', region) FROM orders"),
    ("CREATE FUNCTION generate_series(text) RETURNS SETOF int LANGUAGE plpgsql AS $$ MARK RETURN NEXT 1; END $$", "SELECT * FROM generate_series('a'::text)"),
    ("CREATE FUNCTION evil.next(numeric, text) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE AGGREGATE sum(text) (sfunc = evil.next, stype = numeric)", "SELECT sum(region) FROM orders"),
    ("CREATE FUNCTION evil.next(numeric, text) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE AGGREGATE avg(text) (sfunc = evil.next, stype = numeric)", "SELECT avg(region) OVER (ORDER BY id) FROM orders"),
    ("CREATE FUNCTION evil.upper(int) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN 'x'; END $$; ALTER DATABASE owned SET search_path = public, evil", "SELECT upper(id) FROM orders"),
    // Operators, including implicit ones.
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.> (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region > 3"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region = 3"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region IN (3, 4)"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.>= (leftarg = text, rightarg = int, function = evil.op);
      CREATE OPERATOR public.<= (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region BETWEEN 3 AND 4"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region IS DISTINCT FROM 3"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT NULLIF(region, 3) FROM orders"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT CASE region WHEN 3 THEN 'three' END FROM orders"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region IN (SELECT id FROM orders)"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.< (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region < ALL (ARRAY[1, 2])"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.<> (leftarg = text, rightarg = int, function = evil.op)", "SELECT id FROM orders WHERE region <> ANY (SELECT id FROM orders)"),
    ("CREATE FUNCTION evil.op(int, int) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE OPERATOR public.|| (leftarg = int, rightarg = int, function = evil.op)", "SELECT id || id FROM orders"),
    ("CREATE FUNCTION evil.op(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE OPERATOR public.+ (leftarg = text, rightarg = text, function = evil.op)", "SELECT region + region FROM orders"),
    ("CREATE FUNCTION evil.op(text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE OPERATOR public.- (rightarg = text, function = evil.op)", "SELECT - region FROM orders"),
    ("CREATE FUNCTION evil.op(int, text) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR public.~~ (leftarg = int, rightarg = text, function = evil.op)", "SELECT id FROM orders WHERE id LIKE '1%'"),
    ("CREATE FUNCTION evil.op(date, int) RETURNS date LANGUAGE plpgsql AS $$ MARK RETURN $1; END $$;
      CREATE OPERATOR public.* (leftarg = date, rightarg = int, function = evil.op)", "SELECT placed * 2 FROM orders"),
    // Casts, explicit or implicit.
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood, ms mood[]); INSERT INTO feelings VALUES ('a', '{b}');
      CREATE FUNCTION evil.number(mood) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE CAST (mood AS int) WITH FUNCTION evil.number(mood) AS IMPLICIT", "SELECT count(*) FROM feelings WHERE m > 3"),
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood, ms mood[]); INSERT INTO feelings VALUES ('a', '{b}');
      CREATE FUNCTION evil.number(mood) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE CAST (mood AS int) WITH FUNCTION evil.number(mood)", "SELECT CAST(m AS int) FROM feelings"),
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood, ms mood[]); INSERT INTO feelings VALUES ('a', '{b}');
      CREATE FUNCTION evil.number(mood) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE CAST (mood AS int) WITH FUNCTION evil.number(mood)", "SELECT ms::int[] FROM feelings"),
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood); INSERT INTO feelings VALUES ('a');
      CREATE FUNCTION evil.words(mood) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE CAST (mood AS text) WITH FUNCTION evil.words(mood)", "SELECT m::text FROM feelings"),
    ("CREATE FUNCTION evil.number(orders) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE CAST (orders AS int) WITH FUNCTION evil.number(orders)", "SELECT o::int FROM orders o"),
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood); INSERT INTO feelings VALUES ('a');
      CREATE FUNCTION evil.told(mood) RETURNS json LANGUAGE plpgsql AS $$ MARK RETURN '{}'; END $$;
      CREATE CAST (mood AS json) WITH FUNCTION evil.told(mood)", "SELECT to_json(m) FROM feelings"),
    ("CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE feelings (m mood); INSERT INTO feelings VALUES ('a');
      CREATE FUNCTION evil.told(mood) RETURNS json LANGUAGE plpgsql AS $$ MARK RETURN '{}'; END $$;
      CREATE CAST (mood AS json) WITH FUNCTION evil.told(mood)", "SELECT json_agg(s) FROM feelings s"),
    // Checks of domains, which already run when the statement is prepared.
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE))", "SELECT 5::small"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE))", "SELECT '{5}'::small[]"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE));
      CREATE DOMAIN smaller AS small", "SELECT CAST(id AS smaller) FROM orders"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN public.round AS int CHECK (evil.fits(VALUE))", "SELECT round('5')"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE));
      CREATE TYPE held AS (s small)", "SELECT jsonb_populate_record(NULL::held, '{\"s\": 5}')"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE));
      CREATE TABLE sizes (s small[])", "SELECT s || '{6}' FROM sizes"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE))", "SELECT a FROM json_to_record('{\"a\": 5}') AS x(a small)"),
    // A dot that calls a function.
    ("CREATE FUNCTION city(orders) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT o.city FROM orders o"),
    ("CREATE FUNCTION city(orders) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT (o).city FROM orders o"),
    ("CREATE FUNCTION city(orders) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT city(o) FROM orders o"),
    ("CREATE FUNCTION city(orders) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$; CREATE TABLE places (city text); INSERT INTO places VALUES ('x')", "SELECT o.city FROM orders o, places p"),
    ("CREATE FUNCTION city(anyelement) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT q.city FROM (SELECT id FROM orders) AS q"),
    ("CREATE FUNCTION city(orders) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$", "SELECT ((SELECT o FROM orders o LIMIT 1)).city"),
    ("CREATE FUNCTION ruin(int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT (id).ruin FROM orders"),
    ("CREATE FUNCTION ruin(text) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$", "SELECT (region || 'x').ruin FROM orders"),
    // Objects whose reading runs additional code.
    ("CREATE FUNCTION evil.half(int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$; CREATE VIEW v AS SELECT evil.half(id) AS h FROM orders", "SELECT h FROM v"),
    ("CREATE FUNCTION evil.half(int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$; CREATE VIEW v AS SELECT evil.half(id) AS h FROM orders;
      CREATE VIEW w AS SELECT h FROM v", "SELECT count(h) FROM w WHERE h = 1"),
    ("CREATE FUNCTION evil.half(int) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE VIEW v WITH (security_invoker = true) AS SELECT id FROM orders WHERE evil.half(id) = 1", "SELECT * FROM v"),
    ("CREATE FUNCTION evil.op(text, int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR evil.= (leftarg = text, rightarg = int, function = evil.op);
      CREATE VIEW v AS SELECT id FROM orders WHERE region OPERATOR(evil.=) 3", "SELECT * FROM v"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE));
      CREATE VIEW v AS SELECT (id::small)::text AS s FROM orders", "SELECT s FROM v"),
    ("CREATE FUNCTION evil.next(numeric, numeric) RETURNS numeric LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE AGGREGATE evil.total(numeric) (sfunc = evil.next, stype = numeric); CREATE VIEW v AS SELECT evil.total(price) AS t FROM orders", "SELECT t FROM v"),
    ("CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE FUNCTION round(text) RETURNS text LANGUAGE sql SET search_path = evil, pg_catalog AS 'SELECT lower($1)'", "SELECT round(region) FROM orders"),
    ("CREATE FUNCTION evil.op(text, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE OPERATOR public.+ (leftarg = text, rightarg = text, function = evil.op);
      CREATE FUNCTION trunc(text) RETURNS text LANGUAGE sql AS 'SELECT $1 + $1'", "SELECT trunc(region) FROM orders"),
    ("CREATE FUNCTION trunc(text, boolean DEFAULT evil.mark()) RETURNS text LANGUAGE sql AS 'SELECT CASE WHEN $2 THEN $1 END'", "SELECT trunc(region) FROM orders"),
    ("CREATE FUNCTION evil.fits(int) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$; CREATE DOMAIN small AS int CHECK (evil.fits(VALUE));
      CREATE FUNCTION trunc(small) RETURNS text LANGUAGE sql AS 'SELECT $1::text'", "SELECT trunc(5::bigint::int::small)"),
    // The planner evaluates expressions of a table's definition.
    ("CREATE FUNCTION evil.always(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ MARK RETURN true; END $$;
      CREATE INDEX ON orders (id) WHERE evil.always(7)", "SELECT count(*) FROM orders WHERE id = 1"),
    ("CREATE FUNCTION evil.always(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ MARK RETURN true; END $$;
      CREATE TABLE days (d int) PARTITION BY LIST (d); CREATE TABLE day_1 PARTITION OF days FOR VALUES IN (1);
      CREATE TABLE day_2 PARTITION OF days FOR VALUES IN (2); ALTER TABLE day_1 ADD CHECK (evil.always(7))", "SELECT count(*) FROM days WHERE d > 0"),
    // The owner adds to an extension that he installed.
    ("CREATE EXTENSION IF NOT EXISTS citext; CREATE FUNCTION upper(int) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN 'x'; END $$;
      ALTER EXTENSION citext ADD FUNCTION upper(int)", "SELECT upper(id) FROM orders"),
];

/// Scripts of the owner that target Vitrine's own statements, and statements that show their harm to an unprotected
/// user.
pub(crate) const MACHINERY: &[(&str, &str)] = &[
    ("ALTER DATABASE owned SET search_path = evil, pg_catalog, public;
      CREATE FUNCTION evil.pg_advisory_unlock_all() RETURNS void LANGUAGE plpgsql AS $$ MARK END $$", "SELECT pg_advisory_unlock_all()"),
    ("ALTER DATABASE owned SET search_path = evil, pg_catalog, public;
      CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN $1; END $$;
      CREATE FUNCTION evil.version() RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN 'PostgreSQL 15'; END $$;
      CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN 'on'; END $$;
      CREATE FUNCTION evil.current_schemas(boolean) RETURNS name[] LANGUAGE plpgsql AS $$ MARK RETURN '{public}'; END $$", "SELECT lower('A'::text)"),
    ("CREATE FUNCTION public.quote_literal(name) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE FUNCTION public.obj_description(oid, text) RETURNS text LANGUAGE plpgsql AS $$ MARK RETURN ''; END $$;
      CREATE FUNCTION public.array_position(text[], name) RETURNS int LANGUAGE plpgsql AS $$ MARK RETURN 1; END $$;
      CREATE FUNCTION public.has_table_privilege(oid, varchar) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE FUNCTION public.to_json(text[]) RETURNS json LANGUAGE plpgsql AS $$ MARK RETURN '[]'; END $$;
      CREATE TYPE mood AS ENUM ('a'); CREATE TABLE feelings (m mood)", "SELECT quote_literal(relname) FROM pg_class LIMIT 1"),
    ("ALTER DATABASE owned SET search_path = evil, pg_catalog, public;
      CREATE FUNCTION evil.same(name, text) RETURNS boolean LANGUAGE plpgsql AS $$ MARK RETURN true; END $$;
      CREATE OPERATOR evil.= (leftarg = name, rightarg = text, function = evil.same);
      CREATE OPERATOR evil.<> (leftarg = name, rightarg = text, function = evil.same);
      CREATE OPERATOR evil.!~ (leftarg = name, rightarg = text, function = evil.same)", "SELECT count(*) FROM pg_class WHERE relname = 'x'::text"),
    ("ALTER DATABASE owned SET search_path = evil, pg_catalog, public;
      CREATE DOMAIN evil.text AS pg_catalog.text CHECK (evil.mark()); CREATE DOMAIN evil.oid AS pg_catalog.oid CHECK (evil.mark())", "SELECT 'x'::text"),
    ("ALTER DATABASE owned SET search_path = evil, pg_catalog, public;
      CREATE VIEW evil.pg_roles AS SELECT * FROM pg_catalog.pg_roles WHERE evil.mark();
      CREATE VIEW evil.pg_class AS SELECT * FROM pg_catalog.pg_class WHERE evil.mark();
      CREATE VIEW evil.pg_namespace AS SELECT * FROM pg_catalog.pg_namespace WHERE evil.mark();
      CREATE VIEW evil.pg_proc AS SELECT * FROM pg_catalog.pg_proc WHERE evil.mark()", "SELECT count(*) FROM pg_roles"),
];

/// Objects of many databases, created by their administrator.
pub(crate) const ORDINARY: &str = "
    CREATE EXTENSION citext; CREATE EXTENSION pg_trgm; CREATE EXTENSION hstore; CREATE EXTENSION fuzzystrmatch; CREATE EXTENSION unaccent;
    CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.placed = now(); RETURN NEW; END';
    CREATE TRIGGER stamped BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION stamp();
    CREATE FUNCTION fiscal_year(date) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN extract(year FROM $1); END';
    CREATE FUNCTION net(numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT round($1 / 1.19, 2)';
    CREATE FUNCTION plain(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN lower($1); END';
    CREATE INDEX ON orders (plain(region)); CREATE INDEX ON orders (fiscal_year(placed)) WHERE fiscal_year(placed) > 2000;
    CREATE INDEX ON orders (lower(region)) WHERE price > 0 AND placed > '2000-01-01';
    ALTER TABLE orders ADD CHECK (price >= 0), ADD CHECK (plain(region) <> 'nowhere');
    CREATE TYPE state AS ENUM ('new', 'paid', 'sent'); CREATE TYPE place AS (city text, zip text); CREATE TYPE span AS RANGE (subtype = int);
    CREATE DOMAIN mail AS citext CHECK (VALUE ~ '^[^@]+@[^@]+$'); CREATE DOMAIN positive AS int CHECK (VALUE > 0);
    CREATE TABLE people (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email citext, second mail, age positive, at place, places place[],
                         info hstore, extra jsonb, state state, valid span, home inet, born date, doubled int GENERATED ALWAYS AS (3 * 2) STORED);
    INSERT INTO people (email, second, age, at, places, info, extra, state, valid, home, born)
    VALUES ('Ann@Example.org', 'a@b.c', 30, ROW('Rome', '00100'), ARRAY[ROW('Oslo', '1')::place], 'a=>1,b=>2', '{\"k\": [1, 2]}', 'paid', '[1,5)', '10.1.2.3/24', '1994-02-03'),
           ('bob@example.org', NULL, 40, ROW('Bonn', '53111'), NULL, 'a=>3', '{}', 'new', NULL, NULL, '1984-02-03');
    CREATE VIEW big_orders AS SELECT id, region, price FROM orders WHERE price > 15;
    CREATE VIEW yearly AS SELECT date_trunc('year', placed)::date AS y, sum(price) AS total, count(*) AS n FROM orders GROUP BY 1;
    CREATE VIEW netted AS SELECT id, net(price) AS net FROM orders;
    CREATE MATERIALIZED VIEW kept AS SELECT id, plain(region) AS region FROM orders;
    CREATE TABLE readings (day date, v int) PARTITION BY RANGE (day);
    CREATE TABLE readings_1 PARTITION OF readings FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
    CREATE TABLE readings_2 PARTITION OF readings FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
    INSERT INTO readings VALUES ('2024-01-05', 1), ('2024-02-05', 2);
    CREATE TABLE secret_rows (id int, who text); ALTER TABLE secret_rows ENABLE ROW LEVEL SECURITY;
    CREATE POLICY mine ON secret_rows USING (plain(who) = current_user); INSERT INTO secret_rows VALUES (1, 'x');
    CREATE FUNCTION touch(people) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
    CREATE TABLE visits (id int, touch text); INSERT INTO visits VALUES (1, 'mouse');";

/// Statements over these objects, with the first cell of each result.
pub(crate) const BENIGN: &[(&str, &str)] = &[
    ("SELECT count(*) FROM orders", "3"),
    ("SELECT upper(region) FROM orders WHERE id = 1", "NORTH"),
    ("SELECT round(avg(price), 2) FROM orders", "15.25"),
    ("SELECT region FROM orders WHERE price BETWEEN 15 AND 25", "south"),
    ("SELECT id FROM orders WHERE region IN ('south', 'west')", "2"),
    ("SELECT id FROM orders WHERE region IS DISTINCT FROM 'north' ORDER BY id LIMIT 1", "2"),
    ("SELECT CASE region WHEN 'north' THEN 'up' ELSE 'down' END FROM orders WHERE id = 1", "up"),
    ("SELECT NULLIF(region, 'north') FROM orders WHERE id = 2", "south"),
    ("SELECT id FROM orders WHERE region LIKE 'n%'", "1"),
    ("SELECT id FROM orders WHERE region ILIKE 'NO%'", "1"),
    ("SELECT id FROM orders WHERE region ~ '^s'", "2"),
    ("SELECT string_agg(region, ',' ORDER BY region) FROM orders", "north,south"),
    ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM orders", "15.25"),
    ("SELECT tags[1] FROM orders WHERE id = 1", "a"),
    ("SELECT count(*) FROM orders, unnest(tags) AS t", "3"),
    ("SELECT id FROM orders WHERE 'a' = ANY (tags)", "1"),
    ("SELECT id FROM orders WHERE tags @> ARRAY['a']", "1"),
    ("SELECT extract(year FROM placed) FROM orders WHERE id = 1", "2024"),
    ("SELECT to_char(placed, 'YYYY-MM') FROM orders WHERE id = 2", "2024-02"),
    ("SELECT date_trunc('month', placed)::date FROM orders WHERE id = 2", "2024-02-01"),
    ("SELECT placed + INTERVAL '1 day' FROM orders WHERE id = 1", "2024-01-16 00:00:00"),
    ("SELECT sum(price) OVER (ORDER BY id) FROM orders WHERE id = 2", "20"),
    ("SELECT row_number() OVER (ORDER BY id DESC) FROM orders ORDER BY id LIMIT 1", "3"),
    ("SELECT a.id FROM orders a JOIN orders b USING (id) WHERE a.region = b.region ORDER BY 1 LIMIT 1", "1"),
    ("SELECT count(*) FROM orders NATURAL JOIN visits", "1"),
    ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5000) SELECT count(*) FROM r", "5000"),
    ("SELECT coalesce(region, 'none') FROM orders WHERE id = 3", "none"),
    ("SELECT greatest(id, 2) FROM orders WHERE id = 1", "2"),
    ("SELECT '5'::int + 1", "6"),
    ("SELECT id FROM orders ORDER BY price DESC NULLS LAST LIMIT 1", "2"),
    ("SELECT (region || '!') FROM orders WHERE id = 1", "north!"),
    // Extensions that the administrator installed.
    ("SELECT id FROM people WHERE email = 'ann@example.ORG'", "1"),
    ("SELECT id FROM people WHERE email LIKE 'ANN%'", "1"),
    ("SELECT similarity('north', 'nort') > 0.5", "true"),
    ("SELECT region FROM orders WHERE region % 'nort'", "north"),
    ("SELECT info -> 'a' FROM people WHERE id = 1", "1"),
    ("SELECT id FROM people WHERE info ? 'b'", "1"),
    ("SELECT levenshtein('kitten', 'sitting')", "3"),
    ("SELECT soundex('Robert')", "R163"),
    ("SELECT unaccent('café')", "cafe"),
    // User-defined types.
    ("SELECT email FROM people WHERE second = 'A@B.C'", "Ann@Example.org"),
    ("SELECT age + 1 FROM people WHERE id = 1", "31"),
    ("SELECT 5::positive", "5"),
    ("SELECT (at).city FROM people WHERE id = 1", "Rome"),
    ("SELECT (places[1]).zip FROM people WHERE id = 1", "1"),
    ("SELECT at FROM people WHERE id = 1", "{\"city\":\"Rome\",\"zip\":\"00100\"}"),
    ("SELECT state FROM people WHERE state > 'new'", "paid"),
    ("SELECT count(*) FROM people WHERE state::text = 'paid'", "1"),
    ("SELECT id FROM people WHERE valid @> 3", "1"),
    ("SELECT extra -> 'k' ->> 1 FROM people WHERE id = 1", "2"),
    ("SELECT jsonb_array_length(extra -> 'k') FROM people WHERE id = 1", "2"),
    ("SELECT p.doubled FROM people p WHERE id = 1", "6"),
    // Views, partitions, policies, indexes.
    ("SELECT region FROM big_orders", "south"),
    ("SELECT total FROM yearly", "30.50"),
    ("SELECT net FROM netted WHERE id = 1", "8.82"),
    ("SELECT region FROM kept WHERE id = 1", "north"),
    ("SELECT sum(v) FROM readings WHERE day >= '2024-02-01'", "2"),
    ("SELECT count(*) FROM secret_rows", "1"),
    ("SELECT v.touch FROM visits v, people p LIMIT 1", "mouse"),
    ("SELECT q.touch FROM (SELECT touch FROM visits) AS q", "mouse"),
    // Keywords that were refused.
    ("TABLE visits", "1"),
    ("SELECT FROM orders", ""),
    ("SELECT host(home) FROM people WHERE id = 1", "10.1.2.3"),
    ("SELECT masklen(home) FROM people WHERE id = 1", "24"),
    ("SELECT network(home)::text FROM people WHERE id = 1", "10.1.2.0/24"),
    ("SELECT broadcast(home)::text FROM people WHERE id = 1", "10.1.2.255/24"),
    ("SELECT (xpath('/a/text()', '<a>x</a>'::xml))[1]::text", "x"),
    ("SELECT current_database()", "shop"),
    ("SELECT hashtext('a') = hashtext('a')", "true"),
    ("SELECT get_bit(B'10', 0)", "1"),
    ("SELECT pg_size_pretty(1048576::bigint)", "1024 kB"),
    ("SELECT current_setting('server_encoding')", "UTF8"),
    ("SELECT setweight('a:1'::tsvector, 'A')::text", "'a':1A"),
    ("SELECT strip('a:1'::tsvector)::text", "'a'"),
    ("SELECT numnode('a & b'::tsquery)", "3"),
    ("SELECT ts_delete('a:1 b:2'::tsvector, 'a')::text", "'b':2"),
    ("SELECT count(*) FROM people AS p TABLESAMPLE SYSTEM (100)", "2"),
];

-- What is nested in DuckDB's shop becomes text with JSON in it, as SQL Server keeps it.
ALTER TABLE customers ALTER address TYPE VARCHAR USING to_json(address);
ALTER TABLE customers ALTER tags TYPE VARCHAR USING to_json(tags);
ALTER TABLE orders ALTER items TYPE VARCHAR USING to_json(items);

PRAGMA foreign_keys = OFF;
CREATE TABLE trade (id INTEGER PRIMARY KEY, partner TEXT, year INTEGER, exports INTEGER);
CREATE TABLE station (id INTEGER PRIMARY KEY, name TEXT, altitude INTEGER, max_temp REAL, state TEXT);
CREATE TABLE state (code TEXT PRIMARY KEY, name TEXT, region TEXT);
CREATE TABLE plan (id INTEGER PRIMARY KEY, team TEXT, sales_2024 INTEGER, costs_2024 INTEGER);
CREATE TABLE Templates (Template_ID INTEGER PRIMARY KEY, Template_Type_Code TEXT, Version_Number INTEGER);
CREATE TABLE agent (code TEXT PRIMARY KEY, surname TEXT);
CREATE TABLE signup (id INTEGER PRIMARY KEY, email TEXT, referrer_id TEXT REFERENCES agent (code), campaign_id INTEGER REFERENCES campaign (id));
CREATE TABLE campaign (id INTEGER PRIMARY KEY, title TEXT, referrerId TEXT);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, debtor TEXT, issued TEXT);
CREATE TABLE invoice_line (invoice_id INTEGER REFERENCES invoice (invoice_id), line_no INTEGER, article TEXT, fee REAL, hours REAL, PRIMARY KEY (invoice_id, line_no));
INSERT INTO invoice VALUES (1, 'Adler', '2023-02-01'), (2, 'Birke', '2023-05-09'), (3, 'Adler', '2024-01-15'), (4, 'Cedro', '2024-03-02');
INSERT INTO invoice_line VALUES
    (1, 1, 'advice', 200, 2), (1, 2, 'travel', 80, 1), (1, 3, 'copies', 5, 0.5),
    (2, 1, 'advice', 400, 4), (2, 2, 'travel', 120, 1.5),
    (3, 1, 'review', 900, 8), (3, 2, 'travel', 60, 1),
    (4, 1, 'advice', 150, 1.5);
INSERT INTO trade VALUES
    (1, 'Chile', 2023, 120),
    (2, 'Chile', 2024, 140),
    (3, 'Japan', 2023, 300),
    (4, 'Japan', 2024, 280),
    (5, 'Kenya', 2023, 45),
    (6, 'Kenya', 2024, 60),
    (7, 'Peru', 2023, 75),
    (8, 'Peru', 2024, 70),
    (9, 'Norway', 2023, 210),
    (10, 'Norway', 2024, 190),
    (11, 'India', 2023, 330),
    (12, 'India', 2024, 410);
INSERT INTO station VALUES
    (1, 'Eagle Rock', 170, 38.5, 'California'),
    (2, 'Pine Flat', 300, 36.1, 'California'),
    (3, 'Summit', 2860, 21.4, 'Colorado'),
    (4, 'Bay Point', 5, 29.9, 'California'),
    (5, 'Red Mesa', 1620, 35.0, 'Arizona'),
    (6, 'Lake View', 1350, 31.2, 'Oregon'),
    (7, 'Cold Creek', 2100, 24.6, 'Nevada'),
    (8, 'Big Timber', 1240, 30.3, 'Montana'),
    (9, 'Sandhill', 900, 33.8, 'Nebraska'),
    (10, 'Gulf Shore', 2, 34.4, 'Texas'),
    (11, 'Hill Country', 520, 37.2, 'Texas'),
    (12, 'Moss Bluff', 8, 33.1, 'Louisiana'),
    (13, 'Great Falls', 1015, 29.0, 'Virginia'),
    (14, 'Silver Spring', 100, 31.5, 'Maryland');
INSERT INTO state VALUES
    ('AZ', 'Arizona', 'West'),
    ('CA', 'California', 'West'),
    ('CO', 'Colorado', 'West'),
    ('LA', 'Louisiana', 'South'),
    ('MD', 'Maryland', 'East'),
    ('MT', 'Montana', 'West'),
    ('NE', 'Nebraska', 'Midwest'),
    ('NV', 'Nevada', 'West'),
    ('OR', 'Oregon', 'West'),
    ('TX', 'Texas', 'South'),
    ('VA', 'Virginia', 'East');
INSERT INTO plan VALUES
    (1, 'north', 510, 300),
    (2, 'south', 420, 310),
    (3, 'east', 640, 390),
    (4, 'west', 580, 420),
    (5, 'web', 910, 350),
    (6, 'export', 300, 280),
    (7, 'service', 260, 120),
    (8, 'rental', 180, 90),
    (9, 'used', 220, 140),
    (10, 'parts', 340, 200);
INSERT INTO Templates VALUES
    (1, 'PP', 1),
    (2, 'PPT', 1),
    (3, 'PPT', 2),
    (4, 'BK', 1),
    (5, 'AD', 1),
    (6, 'PP', 2),
    (7, 'PPT', 3),
    (8, 'CV', 1),
    (9, 'AD', 2),
    (10, 'BK', 2),
    (11, 'PPT', 4),
    (12, 'PP', 3);
INSERT INTO agent VALUES
    ('a1', 'Rossi'),
    ('b2', 'Smith'),
    ('c3', 'Weber'),
    ('d4', 'Garcia'),
    ('e5', 'Chen'),
    ('f6', 'Novak'),
    ('g7', 'Larsen'),
    ('h8', 'Dubois'),
    ('i9', 'Moreau'),
    ('j10', 'Silva');
INSERT INTO campaign VALUES
    (1, 'spring', 'b2'),
    (2, 'summer', 'c3'),
    (3, 'autumn', 'a1');
INSERT INTO signup VALUES
    (1, 'user1@example.org', 'a1', 1),
    (2, 'user2@example.org', 'b2', 2),
    (3, 'user3@example.org', NULL, 3),
    (4, 'user4@example.org', 'a1', 1),
    (5, 'user5@example.org', 'c3', 2),
    (6, 'user6@example.org', 'd4', 3),
    (7, 'user7@example.org', NULL, 1),
    (8, 'user8@example.org', 'b2', 2),
    (9, 'user9@example.org', 'a1', 3),
    (10, 'user10@example.org', 'e5', 1),
    (11, 'user11@example.org', 'a1', 2),
    (12, 'user12@example.org', 'b2', 3),
    (13, 'user13@example.org', NULL, 1),
    (14, 'user14@example.org', 'a1', 2),
    (15, 'user15@example.org', 'c3', 3),
    (16, 'user16@example.org', 'd4', 1),
    (17, 'user17@example.org', NULL, 2),
    (18, 'user18@example.org', 'b2', 3),
    (19, 'user19@example.org', 'a1', 1),
    (20, 'user20@example.org', 'e5', 2),
    (21, 'user21@example.org', 'a1', 3),
    (22, 'user22@example.org', 'b2', 1),
    (23, 'user23@example.org', NULL, 2),
    (24, 'user24@example.org', 'a1', 3);

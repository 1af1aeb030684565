CREATE TABLE country (code varchar(100) PRIMARY KEY, name varchar(100), currency varchar(100));
CREATE TABLE customer (id integer PRIMARY KEY, name varchar(100), city varchar(100), country varchar(100) REFERENCES country (code));
CREATE TABLE product (id integer PRIMARY KEY, title varchar(100), price numeric(8, 2), heir integer, tags varchar(100));
CREATE TABLE purchase (id integer PRIMARY KEY, customer_id integer REFERENCES customer (id), product_id integer REFERENCES product (id),
    amount numeric(8, 2), placed date, channel varchar(100), quantity integer, minutes integer);
CREATE TABLE visit (id integer PRIMARY KEY, guest varchar(60), age integer, arrived datetime);
CREATE TABLE membership (card varchar(100) PRIMARY KEY, customer_id integer UNIQUE REFERENCES customer (id), since integer, fee_2024 numeric(8, 2));
CREATE TABLE contact (id integer PRIMARY KEY, FirstName varchar(60), LastName varchar(60));
INSERT INTO country VALUES
    ('IT', 'Italy', 'euro'),
    ('DE', 'Germany', 'euro'),
    ('FR', 'France', 'euro'),
    ('ES', 'Spain', 'euro'),
    ('AT', 'Austria', 'euro'),
    ('CH', 'Switzerland', 'franc'),
    ('NO', 'Norway', 'krone'),
    ('PL', 'Poland', 'zloty'),
    ('PT', 'Portugal', 'euro'),
    ('SE', 'Sweden', 'krona');
INSERT INTO customer VALUES
    (1, 'Ada', 'Rome', 'IT'),
    (2, 'Bert', 'Munich', 'DE'),
    (3, 'Cleo', 'Rome', 'IT'),
    (4, 'Dan', 'Paris', 'FR'),
    (5, 'Eva', 'Madrid', 'ES'),
    (6, 'Fritz', 'Berlin', 'DE'),
    (7, 'Gina', 'Naples', 'IT'),
    (8, 'Hugo', 'Lyon', 'FR'),
    (9, 'Ines', 'Seville', 'ES'),
    (10, 'Jan', 'Hamburg', 'DE'),
    (11, 'Kai', 'Vienna', 'AT'),
    (12, 'Lena', 'Graz', 'AT');
INSERT INTO product VALUES
    (1, 'soap', 3.5, NULL, '{bath,green}'),
    (2, 'towel', 12, NULL, '{bath}'),
    (3, 'old lamp', 30, 4, '{}'),
    (4, 'lamp', 45, NULL, '{home,new}'),
    (5, 'old rug', 80, 6, '{home}'),
    (6, 'rug', 95.5, NULL, '{}'),
    (7, 'candle', 4.2, NULL, '{home,green}'),
    (8, 'old vase', 18, 7, '{}');
INSERT INTO purchase VALUES
    (1, 1, 1, 4.0, '2024-01-01', 'web', 1, 0),
    (2, 6, 4, 40.25, '2024-08-06', 'shop', 4, 31),
    (3, 1, 7, 76.5, '2024-03-11', 'phone', 7, 62),
    (4, 6, 2, 9.0, '2024-10-16', 'web', 1, 93),
    (5, 1, 5, 45.25, '2024-05-21', 'shop', 4, 124),
    (6, 6, 8, 81.5, '2024-12-26', 'phone', 7, 155),
    (7, 1, 3, 14.0, '2024-07-03', 'web', NULL, 186),
    (8, 6, 6, 50.25, '2024-02-08', 'shop', 4, 17),
    (9, 1, 1, 86.5, '2024-09-13', 'phone', 7, 48),
    (10, 6, 4, 19.0, '2024-04-18', 'web', 1, 79),
    (11, 1, 7, 55.25, '2024-11-23', 'shop', 4, 110),
    (12, 6, 2, 91.5, '2024-06-28', 'phone', 7, 141),
    (13, 1, 5, 24.0, '2024-01-05', 'web', 1, 172),
    (14, 6, 8, 60.25, '2024-08-10', 'shop', NULL, 3),
    (15, 1, 3, 96.5, '2024-03-15', 'phone', 7, 34),
    (16, 6, 6, 29.0, '2024-10-20', 'web', 1, 65),
    (17, 1, 1, 65.25, '2024-05-25', 'shop', 4, 96),
    (18, 6, 4, 101.5, '2024-12-02', 'phone', 7, 127),
    (19, 1, 7, 34.0, '2024-07-07', 'web', 1, 158),
    (20, 6, 2, 70.25, '2024-02-12', 'shop', 4, 189),
    (21, 1, 5, 106.5, '2024-09-17', 'phone', NULL, 20),
    (22, 6, 8, 39.0, '2024-04-22', 'web', 1, 51),
    (23, 1, 3, 75.25, '2024-11-27', 'shop', 4, 82),
    (24, 6, 6, 7.75, '2024-06-04', 'phone', 7, 113),
    (25, 1, 1, 44.0, '2024-01-09', 'web', 1, 144),
    (26, 6, 4, 80.25, '2024-08-14', 'shop', 4, 175),
    (27, 1, 7, 12.75, '2024-03-19', 'phone', 7, 6),
    (28, 6, 2, 49.0, '2024-10-24', 'web', NULL, 37),
    (29, 1, 5, 85.25, '2024-05-01', 'shop', 4, 68),
    (30, 6, 8, 17.75, '2024-12-06', 'phone', 7, 99),
    (31, 1, 3, 54.0, '2024-07-11', 'web', 1, 130),
    (32, 6, 6, 90.25, '2024-02-16', 'shop', 4, 161);
INSERT INTO visit VALUES
    (1, 'Mr A', 34, '2024-01-10 00:30:00'),
    (2, 'Ms B', 41, '2024-02-11 01:30:00'),
    (3, 'Mr C', 45, '2024-03-12 02:30:00'),
    (4, 'Ms D', 29, '2024-04-13 03:30:00'),
    (5, 'Mr E', 58, '2024-05-14 04:30:00'),
    (6, 'Ms F', 52, '2024-06-15 05:30:00'),
    (7, 'Mr G', 33, '2024-07-16 06:30:00'),
    (8, 'Ms H', 67, '2024-08-17 07:30:00'),
    (9, 'Mr I', 21, '2024-09-18 08:30:00'),
    (10, 'Ms J', 38, '2024-01-19 09:30:00'),
    (11, 'Mr K', 44, '2024-02-10 00:30:00'),
    (12, 'Ms L', 50, '2024-03-11 01:30:00');
INSERT INTO membership VALUES
    ('M-1', 1, 2019, 30),
    ('M-2', 3, 2020, 30),
    ('M-3', 5, 2018, 45),
    ('M-4', 6, 2023, 25),
    ('M-5', 9, 2021, 30),
    ('M-6', 11, 2024, 20);
INSERT INTO contact VALUES
    (1, 'Tom', 'Hardy'),
    (2, 'Lea', 'Sorel'),
    (3, 'Max', 'Mann'),
    (4, 'Pam', 'Ruiz'),
    (5, 'Zoe', 'Marsh'),
    (6, 'Ian', 'Fox'),
    (7, 'Joy', 'Lin'),
    (8, 'Kim', 'Park'),
    (9, 'Lou', 'Reed'),
    (10, 'Mo', 'Salah');

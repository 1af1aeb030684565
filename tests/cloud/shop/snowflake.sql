-- The shop in Snowflake: documents as VARIANT. One statement between semicolons at line ends.
CREATE TABLE CUSTOMERS (CUSTOMER_ID INT NOT NULL, NAME VARCHAR, SIGNUP DATE, ADDRESS VARIANT, TAGS VARIANT);
INSERT INTO CUSTOMERS SELECT 1, 'Ada Lovell', '2023-01-15'::DATE, PARSE_JSON('{"city":"London","country":"UK"}'), PARSE_JSON('["vip","newsletter"]');
INSERT INTO CUSTOMERS SELECT 2, 'Bert Haller', '2023-03-02'::DATE, PARSE_JSON('{"city":"Basel","country":"Switzerland"}'), PARSE_JSON('["newsletter"]');
INSERT INTO CUSTOMERS SELECT 3, 'Cleo Marin', '2023-07-21'::DATE, PARSE_JSON('{"city":"Lyon","country":"France"}'), PARSE_JSON('[]');
INSERT INTO CUSTOMERS SELECT 4, 'Dan Okoro', '2024-01-09'::DATE, PARSE_JSON('{"city":"London","country":"UK"}'), PARSE_JSON('["vip"]');
INSERT INTO CUSTOMERS SELECT 5, 'Eva Blom', '2024-02-28'::DATE, PARSE_JSON('{"city":"Oslo","country":"Norway"}'), PARSE_JSON('["newsletter"]');
INSERT INTO CUSTOMERS SELECT 6, 'Finn Adler', '2024-05-30'::DATE, PARSE_JSON('{"city":"Basel","country":"Switzerland"}'), PARSE_JSON('[]');
CREATE TABLE PRODUCTS (PRODUCT_ID INT NOT NULL, NAME VARCHAR, CATEGORY VARCHAR, PRICE NUMBER(10,2));
INSERT INTO PRODUCTS VALUES
  (10, 'Desk lamp', 'Lighting', 39.90), (11, 'Floor lamp', 'Lighting', 89.00), (12, 'Oak table', 'Furniture', 420.00),
  (13, 'Chair', 'Furniture', 75.50), (14, 'Tea set', 'Kitchen', 54.00), (15, 'Cast iron pan', 'Kitchen', 62.25);
CREATE TABLE ORDERS (ORDER_ID INT NOT NULL, CUSTOMER_ID INT, PLACED_AT TIMESTAMP_NTZ, STATUS VARCHAR, ITEMS VARIANT);
INSERT INTO ORDERS SELECT 100, 1, '2023-02-01 09:30:00'::TIMESTAMP_NTZ, 'delivered', PARSE_JSON('[{"product_id":10,"quantity":2,"unit_price":39.90},{"product_id":14,"quantity":1,"unit_price":54.00}]');
INSERT INTO ORDERS SELECT 101, 1, '2024-03-11 14:00:00'::TIMESTAMP_NTZ, 'delivered', PARSE_JSON('[{"product_id":12,"quantity":1,"unit_price":420.00}]');
INSERT INTO ORDERS SELECT 102, 2, '2023-04-19 08:15:00'::TIMESTAMP_NTZ, 'returned', PARSE_JSON('[{"product_id":13,"quantity":4,"unit_price":75.50}]');
INSERT INTO ORDERS SELECT 103, 3, '2023-08-02 18:45:00'::TIMESTAMP_NTZ, 'delivered', PARSE_JSON('[{"product_id":15,"quantity":1,"unit_price":62.25},{"product_id":10,"quantity":1,"unit_price":39.90}]');
INSERT INTO ORDERS SELECT 104, 4, '2024-01-20 11:05:00'::TIMESTAMP_NTZ, 'delivered', PARSE_JSON('[{"product_id":11,"quantity":2,"unit_price":89.00}]');
INSERT INTO ORDERS SELECT 105, 4, '2024-06-03 16:20:00'::TIMESTAMP_NTZ, 'open', PARSE_JSON('[{"product_id":13,"quantity":2,"unit_price":75.50},{"product_id":14,"quantity":2,"unit_price":54.00}]');
INSERT INTO ORDERS SELECT 106, 5, '2024-03-01 07:50:00'::TIMESTAMP_NTZ, 'delivered', PARSE_JSON('[{"product_id":15,"quantity":3,"unit_price":62.25}]');
INSERT INTO ORDERS SELECT 107, 2, '2024-05-05 20:10:00'::TIMESTAMP_NTZ, 'open', PARSE_JSON('[{"product_id":12,"quantity":1,"unit_price":420.00},{"product_id":13,"quantity":6,"unit_price":75.50}]');

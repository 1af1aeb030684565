-- Flights from airport to airport, with the tickets sold.
CREATE TABLE airports (code TEXT PRIMARY KEY, city TEXT, country TEXT);
CREATE TABLE airlines (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE flights (id INTEGER PRIMARY KEY, airline_id INTEGER REFERENCES airlines(id), origin TEXT REFERENCES airports(code),
  destination TEXT REFERENCES airports(code), departed TIMESTAMP, delay INTEGER, seats INTEGER, gate TEXT);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, flight_id INTEGER REFERENCES flights(id), passenger TEXT, fare INTEGER, class TEXT);
CREATE TABLE crew (flight_id INTEGER REFERENCES flights(id), member TEXT, hours INTEGER, PRIMARY KEY (flight_id, member));

INSERT INTO airports SELECT 'A' || i, 'City ' || (i % 15), CASE i % 3 WHEN 0 THEN 'Spain' WHEN 1 THEN 'Italy' ELSE 'Norway' END
FROM number WHERE i <= 20;
INSERT INTO airlines SELECT i, 'Line ' || i, CASE i % 2 WHEN 0 THEN 'Spain' ELSE 'Norway' END FROM number WHERE i <= 8;
INSERT INTO flights SELECT i, 1 + i % 7, 'A' || (1 + i % 18), 'A' || (1 + (i * 5 + 2) % 19),
  '2024-0' || (1 + i % 3) || '-' || substr('0' || CASE WHEN i % 20 = 0 THEN 31 - CASE WHEN i % 3 = 1 THEN 2 ELSE 0 END ELSE 1 + i % 28 END, -2)
    || ' ' || substr('0' || (6 + i % 16), -2) || ':15:00',
  CASE WHEN i % 6 = 0 THEN NULL ELSE (i * 7) % 60 END, 100 + i % 80, '' || (1 + i % 24) FROM number WHERE i <= 400;
INSERT INTO tickets SELECT i, 1 + (i * 7) % 370, 'P' || (i % 500), 40 + i % 300, CASE WHEN i % 8 = 0 THEN 'business' ELSE 'economy' END
FROM number WHERE i <= 3000;
INSERT INTO crew SELECT f.i, 'M' || ((f.i + m.i * 9) % 60), 2 + f.i % 8 FROM number f JOIN number m ON m.i <= 2 + f.i % 3 WHERE f.i <= 400;

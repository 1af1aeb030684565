-- Payments whose reference is meant to be an invoice's number, written otherwise for all but 551 of them; transfers between accounts.
CREATE TABLE invoices (number TEXT PRIMARY KEY, client TEXT, amount DECIMAL(10, 2), status TEXT, due DATE);
CREATE TABLE payments (id INTEGER PRIMARY KEY, reference TEXT, amount DECIMAL(10, 2), paid DATE, method TEXT);
CREATE TABLE branches (id INTEGER PRIMARY KEY, town TEXT);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, branch_id INTEGER REFERENCES branches(id), owner TEXT, grade TEXT);
CREATE TABLE transfers (id INTEGER PRIMARY KEY, from_account INTEGER REFERENCES accounts(id),
  to_account INTEGER REFERENCES accounts(id), amount DECIMAL(10, 2), booked TIMESTAMP);

INSERT INTO invoices SELECT 'R-' || i, 'Client ' || (i % 200), 50 + i % 400, CASE i % 4 WHEN 0 THEN 'open' ELSE 'settled' END,
  '2024-' || substr('0' || (1 + i % 12), -2) || '-20' FROM number WHERE i <= 40000;
INSERT INTO payments SELECT i, CASE WHEN i <= 551 THEN 'R-' || i ELSE 'r' || i END, 10 + i % 90,
  '2024-' || substr('0' || (1 + i % 12), -2) || '-' || substr('0' || (1 + i % 28), -2), CASE i % 2 WHEN 0 THEN 'card' ELSE 'bank' END
FROM number WHERE i <= 65332;
INSERT INTO branches SELECT i, 'Town ' || i FROM number WHERE i <= 6;
INSERT INTO accounts SELECT i, CASE WHEN i % 10 = 0 THEN NULL ELSE 1 + i % 6 END, 'Owner ' || i, '' || (1 + i % 12) FROM number WHERE i <= 50;
INSERT INTO transfers SELECT i, 1 + (i * 7) % 50, 1 + (i * 3 + 1) % 50, 5 + i % 300,
  '2024-' || substr('0' || (1 + i % 12), -2) || '-' || substr('0' || (1 + i % 31 % 30), -2) || ' 14:05:00'
FROM number WHERE i <= 800 AND NOT (i % 12 = 1 AND i % 31 % 30 > 27);

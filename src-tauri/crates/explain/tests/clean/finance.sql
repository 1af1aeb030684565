-- the few payments whose reference is known, and asked for as such
SELECT COUNT(*) FROM payments WHERE reference IN (SELECT number FROM invoices);

-- both accounts of a transfer
SELECT COUNT(*) FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts g ON g.id = t.to_account WHERE f.branch_id = g.branch_id;

-- in and out added up apart
SELECT a.owner, o.out - i.back AS gone FROM accounts a JOIN (SELECT from_account, SUM(amount) AS out FROM transfers GROUP BY from_account) o
ON o.from_account = a.id JOIN (SELECT to_account, SUM(amount) AS back FROM transfers GROUP BY to_account) i ON i.to_account = a.id;

-- accounts are counted once
SELECT b.town, COUNT(DISTINCT a.id), SUM(t.amount) FROM branches b JOIN accounts a ON a.branch_id = b.id
JOIN transfers t ON t.from_account = a.id GROUP BY b.id, b.town;

-- the last day to its last second
SELECT SUM(amount) FROM transfers WHERE booked BETWEEN '2024-04-01' AND '2024-04-30 23:59:59';

-- grades by their number
SELECT owner FROM accounts WHERE CAST(grade AS INTEGER) < 9 ORDER BY CAST(grade AS INTEGER), id;

-- a grade as the name that it is
SELECT COUNT(*) FROM accounts WHERE grade = '9';

-- clients of open invoices by what is open
SELECT client, SUM(amount) AS open FROM invoices WHERE status = 'open' GROUP BY client ORDER BY open DESC LIMIT 10;

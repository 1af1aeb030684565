-- rows-lost: 64,781 of 65,332 payments find no invoice
SELECT i.status, SUM(p.amount) FROM payments p JOIN invoices i ON i.number = p.reference GROUP BY i.status;

-- rows-lost: the same in an average over what little is left
SELECT AVG(p.amount) FROM invoices i JOIN payments p ON p.reference = i.number WHERE i.status = 'settled';

-- nothing-joined: no reference is a client
SELECT i.client, SUM(p.amount) FROM payments p JOIN invoices i ON i.client = p.reference GROUP BY i.client;

-- rows-multiplied: accounts are counted once per transfer
SELECT b.town, COUNT(a.id) FROM branches b JOIN accounts a ON a.branch_id = b.id JOIN transfers t ON t.from_account = a.id GROUP BY b.town;

-- rows-multiplied: transfers in and out of an account meet each other
SELECT a.owner, SUM(o.amount) - SUM(i.amount) AS gone FROM accounts a JOIN transfers o ON o.from_account = a.id
JOIN transfers i ON i.to_account = a.id GROUP BY a.id, a.owner;

-- step other-key: where transfers come from, not where they go to
SELECT a.owner, SUM(t.amount) FROM transfers t JOIN accounts a ON a.id = t.from_account GROUP BY a.id, a.owner;

-- last-day: transfers of the afternoon of the thirtieth are left out
SELECT SUM(amount) FROM transfers WHERE booked BETWEEN '2024-04-01' AND '2024-04-30';

-- text-number: grades of two digits come before those of one
SELECT owner FROM accounts WHERE grade < '9';

-- empty-keys: accounts of no branch are missing from the count
SELECT COUNT(a.id) FROM accounts a JOIN branches b ON a.branch_id = b.id;

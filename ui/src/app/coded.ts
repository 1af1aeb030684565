// Answers whose table Python code made from fetched views. No query gives them, so nothing that keeps or runs only the SQL
// may be offered as if it did.

const WHY = "Python code made this table from the views. Their queries alone do not give it";

export const NOT_SAVED = `${WHY}, and a saved question keeps only SQL.`;
export const NOT_EXPORTED = `${WHY}, and an export runs only SQL. Cells marked in the table can be copied.`;

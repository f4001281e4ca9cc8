/**
 * The persons whom logs name as contacts, to withhold them in the remarks of other logs; `searched` says whether the remarks on
 * record have been searched for them. The next import finds them in the logs.
 */
export const persons = `
  CREATE TABLE person (name TEXT PRIMARY KEY, searched INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX person_to_search ON person (name) WHERE searched = 0;
  INSERT OR IGNORE INTO site_to_read SELECT id FROM site;
`;

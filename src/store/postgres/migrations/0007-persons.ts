/**
 * The persons whom logs name as contacts, to withhold them in the remarks of other logs; `searched` says whether the remarks on
 * record have been searched for them. The next import finds them in the logs.
 */
export const persons = [
  'CREATE TABLE person (name text COLLATE "C" PRIMARY KEY, searched bigint NOT NULL)',
  'CREATE INDEX person_to_search ON person (name) WHERE searched = 0',
  'INSERT INTO site_to_read SELECT id FROM site ON CONFLICT DO NOTHING',
];

import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** The prepared statements of a connection, by their texts. */
export type Statements = LRUCache<string, Statement<unknown[]>>;

/** How many statements stay prepared. Each combination of filters and order needs its own. */
const MOST = 200;

/** Prepares each statement of a connection when it is first asked for. */
export const statementsOf = (db: Database): Statements => new LRUCache({ max: MOST, memoMethod: (text) => db.prepare<unknown[]>(text) });

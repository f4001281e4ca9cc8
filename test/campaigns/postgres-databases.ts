import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { Cluster } from '../postgres/cluster.js';
import type { KilledDatabases } from './killed-imports.js';
import { importLogs } from './processes.js';

/** How often PostgreSQL is asked for the connections to a database, in milliseconds. */
const INTERVAL = 5;

/** Databases of a PostgreSQL server of their own. @param logs those of the first version */
export async function postgresDatabases(logs: string): Promise<KilledDatabases> {
  const cluster = await Cluster.create();
  const pool = new pg.Pool({
    connectionString: cluster.primary.url('postgres', 'postgres'),
    max: 4,
  });
  const isUsed = async (url: string): Promise<boolean> => {
    const { rowCount } = await pool.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [
      /\w+$/.exec(url)![0],
    ]);
    return rowCount! > 0;
  };
  const filled = await cluster.createDatabase();
  await importLogs(cluster.primary.url(filled), logs);
  const current = new Map<number, string>();
  return {
    create: async (worker, isFilled) => {
      const before = current.get(worker);
      if (before !== undefined) await pool.query(`DROP DATABASE ${before} WITH (FORCE)`);
      const name = await cluster.createDatabase(isFilled ? filled : undefined);
      current.set(worker, name);
      return cluster.primary.url(name);
    },
    watch: (url, onBegin) => {
      let watching = true;
      const watch = async (): Promise<void> => {
        while (watching && !(await isUsed(url))) await rest(INTERVAL);
        if (watching) onBegin();
      };
      void watch();
      return () => (watching = false);
    },
    // The server notices a little later that its client was killed, and may still complete what the
    // client had sent.
    settle: async (url) => {
      while (await isUsed(url)) await rest(INTERVAL);
    },
    close: async () => {
      await pool.end();
      await cluster.stop();
    },
  };
}

import root, { type Test } from 'tap';
import { Cluster, createDatabaseAt, runStatements } from './cluster.js';

/** The cluster of this process, if it had to make one. */
let own: Promise<Cluster> | undefined;

/**
 * The URL of a database of a server, beside which others can be created: that of
 * `npm run test-postgres`, else of a cluster of this process.
 */
async function serverUrl(): Promise<string> {
  const { TEST_DATABASE } = process.env;
  if (TEST_DATABASE !== undefined) return TEST_DATABASE;
  if (own === undefined) {
    own = Cluster.create();
    root.teardown(async () => (await own!).stop());
  }
  return (await own).primary.url();
}

/**
 * Creates an empty database and returns its URL. It is dropped at the end of the test.
 * @param template the name of a database to copy, to which nobody is connected
 */
export async function createDatabase(t: Test, template?: string): Promise<string> {
  const server = await serverUrl();
  const name = await createDatabaseAt(server, template);
  t.teardown(async () => {
    // WITH (FORCE) would fail while the server vacuums the database, because only a superuser may
    // end that.
    await runStatements(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`,
    );
    await runStatements(server, `DROP DATABASE ${name}`);
  });
  return server.replace(/\/\w+(?=\?|$)/, `/${name}`);
}

import { tlsFiles } from '../serve/certificates.js';
import { metricsPlace } from '../serve/metrics-server.js';
import { type CommandLine, type Given, readCommandLine } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { SERVE_SETTINGS, type ServeSettings } from '../serve/settings.js';
import { keepTicksFast } from '../serve/ticks.js';

export const command = {
  usage: 'serve',
  description:
    'Serves the database over HTTP, read-only. New imports by other processes are visible ' +
    'at the next request.',
  examples: [
    [
      'Serve a database on this machine, at http://127.0.0.1:8080.',
      'serve --database network.sqlite',
    ],
    [
      'Serve other machines over HTTPS.',
      'serve --host 0.0.0.0 --tls-certificate a.pem --tls-key a.key',
    ],
  ],
  settings: SERVE_SETTINGS,
  flags: {
    check: { description: 'Check the settings, the certificate and the database, and exit.' },
    migrate: {
      description:
        'First create the database, or migrate it, with a backup. What migrate reads again in ' +
        'site logs is left to the next import.',
    },
  },
} as const satisfies CommandLine;

/**
 * Migrates the database, and prints what was done, if anything. Reading all logs again would take
 * long, and the service answers without.
 * @throws {StoreUnusable}
 */
async function migrate(database: string): Promise<void> {
  const { migrateAndTell } = await import('../migration.js');
  const { line, isChanged } = await migrateAndTell(database, null);
  if (isChanged) process.stdout.write(`${line}\n`);
}

/** Serves until SIGTERM or SIGINT, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: rest,
}: Given<typeof command>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`serve takes no arguments; got "${rest[0]}"`);
  if (flags.check === true && flags.migrate === true)
    throw new UsageError('--check changes nothing; it cannot be combined with --migrate');
  if (flags.check === true) return (await import('../serve/check.js')).checkSettings(settings);
  metricsPlace(settings);
  tlsFiles(settings.tlsCertificate, settings.tlsKey);
  keepTicksFast();
  if (flags.migrate === true) await migrate(settings.database);
  const reread = (): ServeSettings =>
    readCommandLine(command, process.argv.slice(3), process.env).settings;
  const { openService } = await import('../serve/service.js');
  const { runService } = await import('../serve/run.js');
  return runService(await openService(settings), settings, reread);
}

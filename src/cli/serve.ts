import cluster from 'node:cluster';
import { metricsPlace } from './serve/metrics-server.js';
import type { Service } from './serve/service.js';
import { type CommandLine, type Given, readCommandLine } from './command-line.js';
import { UsageError } from './failures.js';
import { SETTING_NAMES, type SettingName, type SettingValues } from './settings.js';

type ServeSetting = Exclude<SettingName, 'jobs'>;
/** The settings of `serve`: all but that of `import`. */
export type Settings = SettingValues<ServeSetting>;

export const command = {
  usage: 'serve',
  description:
    'Serves the database over HTTP, read-only. New imports by other processes are visible at the next request.',
  settings: SETTING_NAMES.filter((name): name is ServeSetting => name !== 'jobs'),
  flags: {
    check: { description: 'Check the settings, the certificate and the database, and exit.' },
  },
} as const satisfies CommandLine;

/** Serves until SIGTERM or SIGINT, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: rest,
}: Given<typeof command>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`serve takes no arguments; got "${rest[0]}"`);
  if (flags.check === true) return (await import('./serve/check.js')).checkSettings(settings);
  metricsPlace(settings);
  const open = async (): Promise<Service> =>
    (await import('./serve/service.js')).openService(settings);
  const reread = (): Settings =>
    readCommandLine(command, process.argv.slice(3), process.env).settings;
  if (settings.workers === 1)
    return (await import('./serve/run.js')).runAlone(await open(), settings, reread);
  // The primary process loads neither the app nor the SQLite binding. A worker ignores signals to all processes before it does.
  const { runAsWorker, runWorkers } = await import('./serve/workers.js');
  return cluster.isPrimary ? runWorkers(settings, reread) : runAsWorker(open);
}

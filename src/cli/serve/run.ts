import { thisBuild } from '../line/package-files.js';
import type { ServeSettings } from './settings.js';
import { changedFlags } from '../line/settings.js';
import { findSupervisor } from './supervisor.js';
import { count, onStop } from '../line/terminal.js';
import { passedSockets, removeStaleSocket } from './listening.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import type { Log, Service } from './service.js';

/** Logs the name and version of the program at the start. */
function logBuild(log: Log): void {
  const { version, revision } = thisBuild();
  const build = `gnss-site-setups ${version}, revision ${revision ?? 'unknown'}`;
  log.info(`${build}, Node.js ${process.versions.node}`);
}

/**
 * Applies the settings that can change while the service runs, and logs which ones need a restart.
 */
function reload(
  { log, reloadCertificate }: Service,
  started: ServeSettings,
  now: ServeSettings,
): void {
  log.level = now.logLevel;
  const names = Object.keys(started) as (keyof ServeSettings)[];
  const changed = changedFlags({ ...started, logLevel: now.logLevel }, now, names);
  const others =
    changed.length === 0 ? '' : `; restart the service to change ${changed.join(', ')}`;
  log.info(`SIGHUP: reread the certificate and the log level${others}`);
  reloadCertificate();
}

/**
 * Runs a service until SIGTERM or SIGINT, and returns the exit code: with its metrics, and in touch
 * with systemd.
 * @param reread reads the settings again
 */
export async function runService(
  service: Service,
  settings: ServeSettings,
  reread: () => ServeSettings,
): Promise<number> {
  process.title = 'gnss-serve';
  const { log, listen, close, metrics } = service;
  const supervisor = findSupervisor(process.env, (message) => log.warn(message));
  const passed = passedSockets(process.env);
  const ended = Promise.withResolvers<void>();
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => {
    try {
      reload(service, settings, reread());
    } catch (error) {
      log.error(`SIGHUP: kept the settings: ${(error as Error).message}`);
    }
  });
  onStop((signal) => {
    supervisor.stopping();
    close(signal).then(ended.resolve, ended.reject);
  });
  logBuild(log);
  const place = metricsPlace(settings);
  const stopMetrics =
    place === null ? null : await serveMetrics(place, () => metrics!.registry.metrics(), log);
  try {
    if (passed > 0)
      log.info(
        `listening on ${count(passed, 'socket')} from systemd; ` +
          '--host, --port and --socket are ignored',
      );
    else if (settings.socket !== null) await removeStaleSocket('--socket', settings.socket);
    await listen(passed);
    supervisor.ready();
    await ended.promise;
    log.info('stopped');
    return 0;
  } finally {
    stopMetrics?.();
  }
}

import type { Settings } from '../serve.js';
import { changedFlags } from '../settings.js';
import { thisBuild } from '../package-files.js';
import { count, onStop } from '../terminal.js';
import { passedSockets, removeStaleSocket } from './listening.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import type { Log, Service } from './service.js';
import { findSupervisor } from './supervisor.js';

/** A service, in this process or in others. */
interface Running {
  log: Omit<Log, 'level'>;
  /** Listens, and resolves to the exit code when the service has ended. @param ready called when it listens */
  run: (ready: () => void) => Promise<number>;
  /** Called at SIGHUP with the settings as they are now. */
  reload: (now: Settings) => void;
  /** Ends the service. @param signal why */
  stop: (signal: string) => void;
  readMetrics: () => Promise<string>;
}

/**
 * Runs a service until SIGTERM or SIGINT, and returns the exit code: with its metrics, and in touch with systemd.
 * @param reread reads the settings anew
 */
export async function runService(
  settings: Settings,
  reread: () => Settings,
  service: Running,
): Promise<number> {
  const { log, run, reload, stop, readMetrics } = service;
  const supervisor = findSupervisor(process.env, (message) => log.warn(message));
  const passed = passedSockets(process.env, process.pid);
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => {
    try {
      reload(reread());
    } catch (error) {
      log.error(`SIGHUP: kept the settings: ${(error as Error).message}`);
    }
  });
  onStop((signal) => {
    supervisor.stopping();
    stop(signal);
  });
  const { version, revision } = thisBuild();
  log.info(
    `gnss-site-setups ${version}, revision ${revision ?? 'unknown'}, Node.js ${process.versions.node}`,
  );
  const place = metricsPlace(settings);
  const stopMetrics = place === null ? null : await serveMetrics(place, readMetrics, log);
  try {
    if (passed === 0 && settings.socket !== null)
      await removeStaleSocket('--socket', settings.socket);
    if (passed > 0)
      log.info(
        `listening on ${count(passed, 'socket')} from systemd; --host, --port and --socket are ignored`,
      );
    const code = await run(supervisor.ready);
    if (code === 0) log.info('stopped');
    return code;
  } finally {
    stopMetrics?.();
  }
}

/** Serves from this process alone. @param reread reads the settings anew */
export function runAlone(
  service: Service,
  settings: Settings,
  reread: () => Settings,
): Promise<number> {
  const { log, listen, close, reloadCertificate, metrics } = service;
  const ended = Promise.withResolvers<number>();
  return runService(settings, reread, {
    log,
    run: async (ready) => {
      await listen(passedSockets(process.env, process.pid), true);
      ready();
      return ended.promise;
    },
    reload: (now) => {
      log.level = now.logLevel;
      const changed = changedFlags(
        { ...settings, logLevel: now.logLevel },
        now,
        Object.keys(settings) as (keyof Settings)[],
      );
      const others =
        changed.length === 0 ? '' : `; restart the service to change ${changed.join(', ')}`;
      log.info(`SIGHUP: read the certificate and the log level anew${others}`);
      reloadCertificate();
    },
    stop: (signal) => void close(signal, 'stop').then(() => ended.resolve(0), ended.reject),
    readMetrics: () => metrics!.registry.metrics(),
  });
}

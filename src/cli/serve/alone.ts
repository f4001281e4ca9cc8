import type { ServeSetting } from '../serve.js';
import { changedFlags, type SettingValues } from '../settings.js';
import { passedMessage, passedSockets } from './listening.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import type { Service } from './service.js';
import { onStop } from '../terminal.js';
import { removeStaleSocket } from './sockets.js';
import { findSupervisor } from './supervisor.js';

type Settings = SettingValues<ServeSetting>;

/** Reads the certificate and the log level anew, and says so. */
function reload({ log, reloadCertificate }: Service, settings: Settings, reread: () => Settings): void {
  try {
    const now = reread();
    log.level = now.logLevel;
    const changed = changedFlags({ ...settings, logLevel: now.logLevel }, now, Object.keys(settings) as ServeSetting[]);
    const others = changed.length === 0 ? '' : `; restart the service to change ${changed.join(', ')}`;
    log.info(`SIGHUP: read the certificate and the log level anew${others}`);
  } catch (error) {
    log.error(`SIGHUP: kept the settings: ${(error as Error).message}`);
  }
  reloadCertificate();
}

/**
 * Serves from this process alone until SIGTERM or SIGINT, and returns the exit code.
 * @param reread reads the settings anew
 */
export async function runAlone(service: Service, settings: Settings, reread: () => Settings): Promise<number> {
  const { log } = service;
  const warn = (message: string): void => log.warn(message);
  const supervisor = findSupervisor(process.env, warn);
  const passed = passedSockets(process.env, process.pid);
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => reload(service, settings, reread));
  const ended = new Promise<number>((resolve, reject) => {
    onStop((signal) => {
      supervisor.stopping();
      service.close(signal, 'stop').then(() => resolve(0), reject);
    });
  });
  const place = metricsPlace(settings);
  const metrics = place === null ? null : await serveMetrics(place, () => service.metrics!.registry.metrics(), warn);
  try {
    if (passed === 0 && settings.socket !== null) await removeStaleSocket('--socket', settings.socket);
    const { greeting, warnings } = await service.listen(passed);
    if (passed > 0) log.info(passedMessage(passed));
    if (metrics !== null) log.info(metrics.greeting);
    warnings.forEach(warn);
    process.stdout.write(greeting);
    supervisor.ready();
    return await ended;
  } finally {
    metrics?.close();
  }
}

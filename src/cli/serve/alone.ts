import type { ServeSetting } from '../serve.js';
import type { SettingValues } from '../settings.js';
import { passedMessage, takePassedSockets } from './listening.js';
import { metricsPlace, serveMetrics } from './metrics-server.js';
import type { Service } from './service.js';
import { onStop } from '../signals.js';
import { removeStaleSocket } from './sockets.js';
import { findSupervisor } from './supervisor.js';

/** Serves from this process alone until SIGTERM or SIGINT, and returns the exit code. */
export async function runAlone(service: Service, settings: SettingValues<ServeSetting>): Promise<number> {
  const { log } = service;
  const warn = (message: string): void => log.warn(message);
  const supervisor = findSupervisor(process.env, warn);
  const passed = takePassedSockets(process.env);
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => service.reloadCertificate());
  const ended = new Promise<number>((resolve, reject) => {
    onStop((signal) => {
      supervisor.stopping();
      service.close(signal, 'stop').then(() => resolve(0), reject);
    });
  });
  const place = metricsPlace(settings);
  const metrics = place === null ? null : await serveMetrics(place, service.metrics!.text, warn);
  try {
    if (passed === 0 && settings.socket !== null) await removeStaleSocket('--socket', settings.socket);
    const { greeting, warnings } = await service.listen(settings.port, passed);
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

import type { Service } from './service.js';
import { onStop } from './signals.js';

/** Serves from this process alone until SIGTERM or SIGINT, and returns the exit code. */
export async function runAlone(service: Service, port: number): Promise<number> {
  // The end of a terminal sends SIGHUP, too. It ends no service.
  process.on('SIGHUP', () => service.reloadCertificate());
  const ended = new Promise<number>((resolve, reject) => {
    onStop((signal) => void service.close(signal, 'stop').then(() => resolve(0), reject));
  });
  const { greeting, warnings } = await service.listen(port);
  for (const warning of warnings) service.warn(warning);
  process.stdout.write(greeting);
  return ended;
}

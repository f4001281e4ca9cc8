import { openReader } from '../../store/sqlite/open.js';
import type { ServeSetting } from '../serve.js';
import type { SettingValues } from '../settings.js';
import { readTls, tlsFiles } from './certificates.js';
import { metricsPlace } from './metrics-server.js';

/**
 * Checks what `serve` needs, and prints that all is well. It does not check ports, which a running service may use.
 * @throws {UsageError} @throws {CommandFailed} @throws {StoreUnusable} as `serve` does
 */
export async function checkSettings(settings: SettingValues<ServeSetting>): Promise<number> {
  metricsPlace(settings);
  const files = tlsFiles(settings.tlsCertificate, settings.tlsKey);
  if (files !== null) readTls(files);
  const store = openReader(settings.database);
  const { sites, migration } = await store.status().finally(() => store.close());
  process.stdout.write(`The settings are valid; the database has ${sites} sites (migration ${migration}).\n`);
  return 0;
}

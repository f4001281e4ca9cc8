import type { Records } from './records.js';

/**
 * The record of the service at a base URL; without a URL, that in a database.
 * @throws {StoreUnusable}
 */
export async function openRecords(database: string, service: string | undefined): Promise<Records> {
  if (service === undefined) return (await import('./store-records.js')).openStoreRecords(database);
  return (await import('./api-records.js')).openApiRecords(service);
}

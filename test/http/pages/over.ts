import type { Test } from 'tap';
import { openService, type Service } from '../../service.js';
import type { SyntheticLog } from '../../synthetic-log.js';

/** The time at which the tests of pages show them. */
export const NOW = new Date('2026-01-01T00:00:00Z');

/** A service over synthetic logs, of which each is imported alone. */
export async function over(t: Test, ...logs: SyntheticLog[]): Promise<Service> {
  const service = await openService(t, [], { clock: () => NOW });
  for (const log of logs) {
    const name = `${(log.id ?? 'TEST').toLowerCase()}_20200101.log`;
    await service.importText(log, name, NOW);
  }
  return service;
}

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Where processes run. The measured process has one core and the load generator another, so that neither slows the other
 * down, and so that a service with more threads has no advantage over a server with fewer.
 */

/** The numbers of the cores that this process may use; none without /proc. */
function allowedCores(): number[] {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
    });
}

const [MEASURED, LOAD] = allowedCores();
const CAN_PIN = LOAD !== undefined && spawnSync('taskset', ['-c', `${MEASURED},${LOAD}`, 'true']).status === 0;

/** A command bound to the core of the measured process or of the load generator, if possible. */
export const pinned = (core: 'measured' | 'load', command: string[]): string[] =>
  CAN_PIN ? ['taskset', '-c', String(core === 'measured' ? MEASURED : LOAD), ...command] : command;

/** How processes share the machine, for the head of the results. */
export const CORES = CAN_PIN
  ? `measured process on core ${MEASURED}, load generator on core ${LOAD}`
  : `processes not bound to cores (${availableParallelism() < 2 ? 'there is only one' : 'needs Linux and taskset'}): the ratios are less reliable`;

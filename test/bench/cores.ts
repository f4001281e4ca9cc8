import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Where processes run. What is measured has one core, the load generator another, so that neither takes time from the
 * other and a service with more threads is not compared with a server that has fewer.
 */

/** The numbers of the cores that this process may use; none where there is no /proc. */
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

/** The command, bound to the core of what is measured or of the load generator, where that is possible. */
export const pinned = (core: 'measured' | 'load', command: string[]): string[] =>
  CAN_PIN ? ['taskset', '-c', String(core === 'measured' ? MEASURED : LOAD), ...command] : command;

/** How processes share the machine, for the head of the result. */
export const CORES = CAN_PIN
  ? `what is measured on core ${MEASURED}, the load generator on core ${LOAD}`
  : `processes not bound to cores (${availableParallelism() < 2 ? 'there is only one' : 'this needs Linux and taskset'}): trust the ratios less`;

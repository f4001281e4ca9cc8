import { readFileSync } from 'node:fs';

const megabytesOf = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) * 1024;
};

/** The resident memory of a process, in bytes. Needs /proc. */
export const memoryOf = (pid: number): number => megabytesOf(pid, 'VmRSS');
/** The peak of the resident memory of a process, in bytes. */
export const peakMemoryOf = (pid: number): number => megabytesOf(pid, 'VmHWM');

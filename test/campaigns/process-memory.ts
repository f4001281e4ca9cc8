import { readFileSync } from 'node:fs';

const bytesOf = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) * 1024;
};

/** The resident memory of a process, in bytes. Needs /proc. */
export const memoryOf = (pid: number): number => bytesOf(pid, 'VmRSS');
/** The part of it that is not mapped from files, such as the database and the program itself. */
export const anonymousMemoryOf = (pid: number): number => bytesOf(pid, 'RssAnon');
/** The peak of the resident memory of a process, in bytes. */
export const peakMemoryOf = (pid: number): number => bytesOf(pid, 'VmHWM');

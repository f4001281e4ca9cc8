import { readFileSync } from 'node:fs';

/** Clock ticks of /proc/PID/stat in a second: 100 on every Linux there is (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** What the system says of a process at an instant. */
export interface Figures {
  /** Processor time so far, all threads, user and system mode, in seconds. */
  processorTime: number;
  /** Resident memory, in bytes. */
  memory: number;
  /** The most resident memory so far, in bytes. */
  peakMemory: number;
}

/** The figures of a process; null where there is no /proc, or the process has ended. */
export function figuresOf(pid: number): Figures | null {
  let status: string;
  let stat: string;
  try {
    [status, stat] = [readFileSync(`/proc/${pid}/status`, 'utf8'), readFileSync(`/proc/${pid}/stat`, 'utf8')];
  } catch {
    return null;
  }
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN);
  // The second field is the program's name in parentheses, which may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return {
    processorTime: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    memory: kilobytes('VmRSS') * 1024,
    peakMemory: kilobytes('VmHWM') * 1024,
  };
}

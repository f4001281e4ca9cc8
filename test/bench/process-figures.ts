import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc/PID/stat: 100 on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** The figures of a process at an instant. */
export interface Figures {
  /** Processor time so far, of all threads in user and system mode, in seconds. */
  processorTime: number;
  /** Resident memory, in bytes. */
  memory: number;
  /** Peak resident memory so far, in bytes. */
  peakMemory: number;
}

/** The figures of a process; null without /proc, or if the process has ended. */
export function figuresOf(pid: number): Figures | null {
  let status: string;
  let stat: string;
  try {
    [status, stat] = [readFileSync(`/proc/${pid}/status`, 'utf8'), readFileSync(`/proc/${pid}/stat`, 'utf8')];
  } catch {
    return null;
  }
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN);
  // The second field is the name of the program in parentheses, which may contain spaces. utime and stime are fields 14 and 15.
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return {
    processorTime: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    memory: kilobytes('VmRSS') * 1024,
    peakMemory: kilobytes('VmHWM') * 1024,
  };
}

/** The processor time of the threads of a process so far, in seconds, as exact as the scheduler measures it; null without /proc. */
export function runningTimeOf(pid: number): number | null {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) => {
      return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    });
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
  } catch {
    return null;
  }
}

import { existsSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc/PID/stat in a second: 100 on every Linux there is (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** Time of processor that a process has used so far, all threads, in the user's and the system's mode, in seconds; null where there is no /proc. */
export function processorTimeOf(pid: string): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  // The second field is the program's name in parentheses, which may hold blanks; utime and stime are fields 14 and 15.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

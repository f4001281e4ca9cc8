import { hostname } from 'node:os';

/** The numbers of the levels in the log of the service, as pino has them. */
const LEVELS = { info: 30, warn: 40, error: 50 };
type Level = keyof typeof LEVELS;
/** The levels above which nothing of these is logged. */
const THRESHOLDS: Record<string, number> = { ...LEVELS, fatal: 60, silent: Infinity };

/** Logs as the service does, as JSON to stderr, for a process without an app. @param level the value of `--log-level` */
export function logLines(level: string): Record<Level, (msg: string) => void> {
  const write = (name: Level, msg: string): void => {
    if (LEVELS[name] < (THRESHOLDS[level] ?? 0)) return;
    process.stderr.write(`${JSON.stringify({ level: LEVELS[name], time: Date.now(), pid: process.pid, hostname: hostname(), msg })}\n`);
  };
  return { info: (msg) => write('info', msg), warn: (msg) => write('warn', msg), error: (msg) => write('error', msg) };
}

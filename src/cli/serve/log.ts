import { fstatSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { visible } from '../../visible.js';
import type { LogFormat } from '../line/setting-values.js';

/** The priorities of syslog(3), which systemd reads at the beginning of a line. */
const PRIORITIES: Record<string, number> = {
  trace: 7,
  debug: 7,
  info: 6,
  warn: 4,
  error: 3,
  fatal: 2,
};

/** Whether stderr goes to the journal of systemd, which gives each line a time. */
function isInJournal({ JOURNAL_STREAM }: NodeJS.ProcessEnv): boolean {
  const { dev, ino } = fstatSync(2);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

/** A value as one word, or as one quoted text. */
const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return visible(/[\s"=]/.test(text) ? JSON.stringify(text) : text);
};

/**
 * An entry of the log as text: `TIME LEVEL message name=value`, and the stack of an error on lines
 * of its own.
 * @param json the entry as the logger writes it
 * @param inJournal has a priority instead of time and level
 */
export function asText(json: string, inJournal: boolean): string {
  const { time, level, msg, err, pid: _, ...values } = JSON.parse(json) as Record<string, unknown>;
  const name = String(level);
  const start = inJournal
    ? `<${PRIORITIES[name] ?? 6}>`
    : `${String(time)} ${name.toUpperCase().padEnd(5)} `;
  const given = Object.entries(values).map(([key, value]) => ` ${key}=${shown(value)}`);
  const stack = err === undefined ? [] : String((err as { stack?: string }).stack).split('\n');
  return [`${visible(String(msg))}${given.join('')}`, ...stack.map(visible)]
    .map((line) => `${start}${line}\n`)
    .join('');
}

/** The log of `serve` on stderr: ISO times, names of levels; as JSON, or as text for people. */
export function openLog({
  logLevel,
  logFormat,
}: {
  logLevel: string;
  logFormat: LogFormat | null;
}): Logger {
  const inJournal = isInJournal(process.env);
  const format = logFormat ?? (inJournal || process.stderr.isTTY ? 'text' : 'json');
  const options = {
    level: logLevel,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level: string) => ({ level }) },
  };
  const asTexts = { write: (line: string) => process.stderr.write(asText(line, inJournal)) };
  return pino(options, format === 'json' ? process.stderr : asTexts);
}

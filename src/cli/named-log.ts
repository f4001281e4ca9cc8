import type { LogEntry } from '../store/read/logs/logs.js';

/** The fewest characters of a SHA-256 that name a log. */
const SHORTEST_PREFIX = 4;

/**
 * The logs that a text names: the one with this number, those with this name, or those whose
 * SHA-256 begins with it.
 */
function allNamed(logs: LogEntry[], text: string): LogEntry[] {
  const exact = logs.filter(({ id, name }) => String(id) === text || name === text);
  if (exact.length > 0 || text.length < SHORTEST_PREFIX) return exact;
  return logs.filter(({ sha256 }) => sha256.startsWith(text.toLowerCase()));
}

/** The log of a Site that a text names, as `log list` shows it; or why it names none. */
export function logNamed(logs: LogEntry[], text: string, site: string): LogEntry | string {
  const [entry, ...others] = allNamed(logs, text);
  const id = site.toUpperCase();
  if (entry === undefined) return `${id} has no log "${text}"; see log list ${id}`;
  if (others.length === 0) return entry;
  const numbers = [entry, ...others].map(({ id: number }) => number).join(', ');
  return `several logs have the name or SHA-256 "${text}"; give the number of one: ${numbers}`;
}

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { logText } from '../helper.js';
import type { Given } from './campaign.js';
import { peakMemoryOf } from './process-memory.js';
import { startTool } from './processes.js';

const ROW = 'files dropped at once';
/** The most resident memory that the watch may need, in bytes. */
const MOST_MEMORY = 150_000_000;
/** How long a file may take from its appearance to its line, in milliseconds, not counting the time to settle. */
const EACH = 30;
const SETTLE = 30_000;

const idOf = (site: number): string => `${site.toString(36).toUpperCase().padStart(4, '0')}00AUS`;

/** Drops many logs into a watched folder, every second one by renaming. Each must be imported, with one line. */
export async function dropFiles({ tally, folder, repeat }: Given<string>, files: number): Promise<void> {
  const fail = (what: string): void => tally.failed(ROW, what, repeat('watch', 0));
  const [logs, other] = ['watched', 'beside'].map((name) => join(folder, name)) as [string, string];
  for (const each of [logs, other]) mkdirSync(each);
  const database = join(folder, 'watched.sqlite');
  const { pid, child, output, ended, end } = startTool(['import', '--watch', logs, '--database', database]);
  while (!output.stdout.includes('Watching') && end() === null) await rest(50);
  for (let site = 0; site < files; site++) {
    const id = idOf(site);
    const receivers = Array.from({ length: 8 }, (_, n) => ({ type: 'R', serial: `${site}-${n}`, from: `${1995 + n}-01-01` }));
    const text = logText({ id, receivers });
    writeFileSync(join(site % 2 === 0 ? logs : other, `${id}.log`), text);
    if (site % 2 === 1) renameSync(join(other, `${id}.log`), join(logs, `${id}.log`));
  }
  tally.tried(ROW, files);
  let memory = 0;
  const lines = (): number => output.stdout.split('\n').length - 2;
  for (const start = Date.now(); lines() < files && end() === null && Date.now() - start < SETTLE + files * EACH; await rest(200)) {
    memory = Math.max(memory, peakMemoryOf(pid));
  }
  child.kill('SIGTERM');
  const { code, signal } = await ended;
  if (code !== 0) fail(`the watch ended with ${signal ?? code} after SIGTERM; expected 0: ${output.stderr.slice(-300)}`);
  if (output.stderr !== '') fail(`there is output on stderr: ${output.stderr.slice(0, 300)}`);
  const saved = output.stdout.match(/\.log: saved /g)?.length ?? 0;
  if (saved !== files || lines() !== files) fail(`${saved} of ${files} files were saved, with ${lines()} lines`);
  if (memory > MOST_MEMORY) fail(`${memory} bytes of resident memory; expected at most ${MOST_MEMORY}`);
  const db = new Database(database, { readonly: true, fileMustExist: true });
  const sites = db.prepare<[], number>('SELECT count(*) FROM site').pluck().get();
  db.close();
  if (sites !== files) fail(`${sites} Sites are on record; expected ${files}`);
  tally.note(ROW, `${Math.round(memory / 1_000_000)} MB at most`);
}

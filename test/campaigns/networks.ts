import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileText, hostileXml } from '../helper.js';
import { runTool, SAMPLE_LOGS } from './processes.js';

/** Imports logs into a database. @throws {Error} if the import fails */
export async function importLogs(database: string, ...paths: string[]): Promise<void> {
  const { code, signal, stderr } = await runTool(['import', '--database', database, ...paths]);
  if (code !== 0) throw new Error(`the import ended with ${signal ?? code}: ${stderr.slice(-1000)}`);
}

/** A log with markup in every field, and an id of its own: `H` instead of the first letter. */
function hostileLog(name: string): { name: string; text: string } {
  const text = readFileSync(join(SAMPLE_LOGS, name), 'utf8');
  const id = name.slice(0, 4);
  const own = text.replaceAll(new RegExp(`\\b${id}(?=\\b|\\d\\d[A-Z]{3})`, 'gi'), `H${id.slice(1).toUpperCase()}`);
  return { name: `h${name.slice(1)}`, text: name.endsWith('.xml') ? hostileXml(own) : hostileText(own) };
}

/**
 * Creates a database of the sample network, and of the same logs with markup in every field.
 * @returns its path
 */
export async function createHostileNetwork(folder: string): Promise<string> {
  const own = mkdtempSync(join(folder, 'network-'));
  const logs = join(own, 'logs');
  mkdirSync(logs);
  for (const name of readdirSync(SAMPLE_LOGS)) {
    copyFileSync(join(SAMPLE_LOGS, name), join(logs, name));
    const hostile = hostileLog(name);
    writeFileSync(join(logs, hostile.name), hostile.text);
  }
  const database = join(own, 'network.sqlite');
  await importLogs(database, logs);
  return database;
}

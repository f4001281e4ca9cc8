import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { shownDatabase } from '../store/postgres/url.js';
import { reasonOf } from '../system-error.js';
import { CommandFailed, UsageError } from './settings.js';
import { didYouMean } from './wrong-usage.js';

/** The largest settings file, in bytes. */
const LONGEST_FILE = 64 * 1024;

const LINE = /^([A-Za-z_]\w*)\s*=\s*(.*)$/;
const QUOTED = /^(?:'([^'\\]*)'|"([^"\\$`]*)")$/;
/** Characters that systemd, shells and other readers of such files treat differently. */
const AMBIGUOUS = /['"\\#$`]|\s/;

function readBytes(path: string): Buffer {
  // Opening a named pipe would otherwise wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (fstatSync(file).isFIFO()) throw new Error('it is a pipe');
    const buffer = Buffer.alloc(LONGEST_FILE + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < buffer.length; length += more)
      more = readSync(file, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** The text of a settings file. @throws {CommandFailed} if it cannot be read */
function textOf(path: string, source: string): string {
  let bytes;
  try {
    bytes = readBytes(path);
  } catch (error) {
    throw new CommandFailed(`cannot read ${source} "${path}": ${reasonOf(error)}`);
  }
  if (bytes.length > LONGEST_FILE) throw new UsageError(`${source} "${path}" is too long; expected at most ${LONGEST_FILE} bytes`);
  return bytes.toString();
}

/**
 * Reads a settings file: lines `NAME=value`, as in an EnvironmentFile of systemd. Values may be in quotes. Blank lines and
 * lines that begin with `#` or `;` are skipped. Values that other readers of such files would read differently are refused.
 * @param source where the path of the file comes from, for messages
 * @param parsers parse the values, by name of the setting. All values are checked, even if the command does not use them.
 * @returns the values by name
 * @throws {UsageError} that names the file, the line and what was expected
 * @throws {CommandFailed} if the file cannot be read
 */
export function readConfigFile(
  path: string,
  source: '--config' | 'CONFIG',
  parsers: ReadonlyMap<string, (text: string, environment: NodeJS.ProcessEnv) => unknown>,
): Map<string, string> {
  const values = new Map<string, string>();
  const names = [...parsers.keys()];
  for (const [index, text] of textOf(path, source).split(/\r?\n/).entries()) {
    const refuse = (why: string): never => {
      throw new UsageError(`${source} "${path}" line ${index + 1}: ${why}`);
    };
    if (/^\s*([#;]|$)/.test(text)) continue;
    if (text.includes('\0')) refuse('expected text without null characters');
    const [, name, value] = LINE.exec(text.trim()) ?? refuse('expected NAME=value');
    if (values.has(name!)) refuse(`${name} is set twice`);
    const quoted = QUOTED.exec(value!);
    if (quoted === null && AMBIGUOUS.test(value!))
      refuse(`${name}: expected a value in single quotes, without single quotes or backslashes in it`);
    const parse =
      parsers.get(name!) ?? refuse(`unknown setting ${name}${didYouMean(name!, names) || `; expected one of ${names.join(', ')}`}`);
    const plain = quoted === null ? value! : (quoted[1] ?? quoted[2]!);
    try {
      if (plain !== '') parse(plain, {});
    } catch (error) {
      refuse(`${name} "${shownDatabase(plain)}": ${(error as Error).message}`);
    }
    values.set(name!, plain);
  }
  return values;
}

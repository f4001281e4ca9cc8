import { CommandFailed, didYouMean, readTextFile, UsageError, WrongSetting } from './failures.js';
import { parsed, type Setting, SETTING_NAMES, SETTINGS, variableOf } from './settings.js';

/** The longest settings file, in bytes. */
const LONGEST_FILE = 64 * 1024;
const LINE = /^([A-Za-z_]\w*)\s*=\s*(.*)$/;
const QUOTED = /^(?:'([^'\\]*)'|"([^"\\$`]*)")$/;
/** Characters that systemd, shells and other readers of such files treat differently. */
const AMBIGUOUS = /['"\\#$`]|\s/;

/** The parser of each setting, by the name of its environment variable. */
const PARSERS = new Map(
  SETTING_NAMES.map((name) => [variableOf(name), (SETTINGS[name] as Setting<unknown>).parse]),
);

/** The text of a settings file. @throws {WrongSetting} if it cannot be read */
function settingsText(path: string, source: string): string {
  try {
    return readTextFile(`cannot read ${source} "${path}"`, path, LONGEST_FILE);
  } catch (error) {
    if (error instanceof CommandFailed) throw new WrongSetting(error.message);
    throw error;
  }
}

/**
 * Reads a settings file: lines `NAME=value`, as in an EnvironmentFile of systemd. Values may be in
 * quotes. Blank lines and lines that begin with `#` or `;` are skipped. Values that other readers
 * of such files would read differently are refused. All values are checked, even if the command
 * does not use them.
 * @param source where the path of the file comes from, for messages
 * @returns the values by name
 * @throws {UsageError} that names the file, the line and what was expected
 * @throws {WrongSetting} if the file cannot be read
 */
export function readConfigFile(path: string, source: '--config' | 'CONFIG'): Map<string, string> {
  const values = new Map<string, string>();
  const names = [...PARSERS.keys()];
  const text = settingsText(path, source);
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const place = `${source} "${path}" line ${index + 1}:`;
    // The help of the running command may not mention this setting.
    const refuse = (why: string): never => {
      throw new UsageError(`${place} ${why}`, 'serve');
    };
    if (/^\s*([#;]|$)/.test(line)) continue;
    if (line.includes('\0')) refuse('expected text without null characters');
    const [, name = '', value = ''] = LINE.exec(line.trim()) ?? refuse('expected NAME=value');
    if (values.has(name)) refuse(`${name} is set twice`);
    const quoted = QUOTED.exec(value);
    if (quoted === null && AMBIGUOUS.test(value))
      refuse(
        `${name}: expected a value in single quotes, without single quotes or backslashes in it`,
      );
    const parse = PARSERS.get(name);
    if (parse === undefined) {
      const expected = didYouMean(name, names) || `; expected one of ${names.join(', ')}`;
      refuse(`unknown setting ${name}${expected}`);
    }
    const plain = quoted?.[1] ?? quoted?.[2] ?? value;
    const help = name === 'JOBS' ? 'import' : 'serve';
    if (plain !== '') parsed(`${place} ${name}`, plain, (each) => parse!(each, {}), help);
    values.set(name, plain);
  }
  return values;
}

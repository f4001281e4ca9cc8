import { type CommandLine, commonFlags, type OwnFlag } from './command-line.js';
import { flagOf, type Setting, SETTINGS, variableOf } from './settings.js';
import { columns } from './terminal.js';

const rowOf = (name: string, argument: string | null | undefined, text: string): string[] => [
  '',
  [`--${name}`, argument ?? []].flat().join(' '),
  text,
];

const rowsOf = (flags: Readonly<Record<string, OwnFlag>>): string[][] =>
  Object.entries(flags).map(([name, { argument, description }]) => rowOf(name, argument, description));

/** The help text of a command. */
export function helpOf({ usage, description, settings, flags }: CommandLine): string {
  const ofSettings = settings.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    const fallback = setting.default === null ? '' : ` [${setting.default}]`;
    const repeatable = setting.repeatable === true ? ' Repeatable.' : '';
    return rowOf(flagOf(name), setting.argument, `${setting.description}${repeatable} ${variableOf(name)}${fallback}`);
  });
  const rows = [...rowsOf(flags), ...ofSettings, ...rowsOf(commonFlags({ settings }))];
  return `Usage: gnss-site-setups ${usage}\n\n${description}\n\n${columns(rows)}`;
}

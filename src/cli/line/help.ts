import { allFlags, type CommandLine } from './command-line.js';
import { flagOf, type Setting, type SettingName, SETTINGS, variableOf } from './settings.js';
import { columns } from './terminal.js';

/** The help text of a setting, with its variable and default. */
function settingHelp(name: SettingName): string {
  const { description, repeatable, default: fallback }: Setting<unknown> = SETTINGS[name];
  const isRepeatable = repeatable === true ? ' Repeatable.' : '';
  const inBrackets = fallback === null ? '' : ` [${fallback}]`;
  return `${description}${isRepeatable} ${variableOf(name)}${inBrackets}`;
}

/** The help text of a command. */
export function helpOf(command: CommandLine): string {
  const texts = new Map(command.settings.map((name) => [flagOf(name), settingHelp(name)]));
  const rows = Object.entries(allFlags(command)).map(([name, { argument, description }]) => [
    '',
    `--${name}${argument === undefined ? '' : ` ${argument}`}`,
    texts.get(name) ?? description,
  ]);
  return `Usage: gnss-site-setups ${command.usage}\n\n${command.description}\n\n${columns(rows)}`;
}

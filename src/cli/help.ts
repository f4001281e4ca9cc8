import { type CommandLine, commonFlags, type OwnFlag } from './command-line.js';
import { flagOf, type Setting, type SettingName, SETTINGS, variableOf } from './settings.js';

const flagRows = (flags: Record<string, OwnFlag>): string[][] =>
  Object.entries(flags).map(([name, { argument, description }]) => [
    `--${name}${argument === undefined ? '' : ` ${argument}`}`,
    description,
  ]);

/** The help text of a command. */
export function helpOf({ usage, description, settings, flags }: CommandLine<SettingName, string>): string {
  const rows = [
    ...flagRows(flags),
    ...settings.map((name) => {
      const setting: Setting<unknown> = SETTINGS[name];
      const fallback = setting.default === null ? '' : ` [${setting.default}]`;
      return [
        `--${flagOf(name)}${setting.argument === null ? '' : ` ${setting.argument}`}`,
        `${setting.description}${setting.repeatable === true ? ' Repeatable.' : ''} ${variableOf(name)}${fallback}`,
      ];
    }),
    ...flagRows(commonFlags({ settings })),
  ];
  const width = Math.max(...rows.map(([flag]) => flag!.length));
  return [
    `Usage: gnss-site-setups ${usage}`,
    '',
    description,
    '',
    ...rows.map(([flag, text]) => `  ${flag!.padEnd(width)}  ${text}`),
    '',
  ].join('\n');
}

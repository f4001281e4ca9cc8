import { commandLines } from '../cli/commands.js';
import { commonFlags, type CommandLine } from '../cli/line/command-line.js';
import {
  flagOf,
  type Setting,
  type SettingName,
  SETTINGS,
  variableOf,
} from '../cli/line/settings.js';

/**
 * Escapes a text for roff: backslashes, hyphens (which are minus signs in code), and a control
 * character at the start of a line.
 */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** An entry of a list: a term in bold, an argument in italics, and its text. */
const entry = (term: string, argument: string | undefined, text: string): string[] => [
  '.TP',
  `.B ${roff(term)}${argument === undefined ? '' : ` \\fI${roff(argument)}\\fR`}`,
  roff(text),
];

/** The help of a setting, with its variable and default. */
function settingEntry(name: SettingName): string[] {
  const { argument, description, default: fallback }: Setting<unknown> = SETTINGS[name];
  const byDefault = fallback === null ? '' : ` Default: ${fallback}.`;
  const help = `${description} Environment: ${variableOf(name)}.${byDefault}`;
  return entry(`--${flagOf(name)}`, argument, help);
}

function commandSection({
  usage,
  description,
  examples,
  settings,
  flags: own,
}: CommandLine): string[] {
  const flags = { ...own, ...commonFlags({ settings }) };
  return [
    ...usage
      .split(' | ')
      .flatMap((line, index) =>
        index === 0 ? [`.SS ${roff(line)}`] : ['.br', `.B ${roff(line)}`, '.br'],
      ),
    ...description.split('\n').map(roff),
    ...Object.entries(flags).flatMap(([name, flag]) =>
      entry(
        `--${name}`,
        flag.argument,
        `${flag.description}${flag.repeatable === true ? ' May be given several times.' : ''}`,
      ),
    ),
    ...settings.flatMap(settingEntry),
    '.PP',
    'Examples:',
    ...examples.flatMap(([purpose, line]) => [
      '.TP',
      roff(purpose),
      `.B ${roff(`gnss-site-setups ${line}`)}`,
    ]),
  ];
}

const EXIT_CODES: [string, string][] = [
  ['0', 'Done.'],
  ['1', 'Done, with a negative result: a log was rejected, a Setup was not found, a check failed.'],
  ['2', 'Wrong usage or a wrong setting.'],
  ['3', 'The database, a port or a file cannot be used; the message says why and what to do.'],
];

const FILES: [string, string][] = [
  [
    '/etc/gnss-site-setups/config',
    'The settings of the services and the command: the variables above.',
  ],
  ['/var/lib/gnss-site-setups/gnss-site-setups.sqlite', 'The default database in these settings.'],
  ['/var/lib/gnss-site-setups/site-logs', 'The site logs, which systemd imports when they change.'],
  ['/usr/lib/gnss-site-setups/data/site-logs', 'A sample network.'],
];

const UNITS: [string, string][] = [
  ['gnss-site-setups.service', 'The service.'],
  [
    'gnss-site-setups.socket',
    'Optional: listens instead of the service, and starts it at the first connection.',
  ],
  [
    'gnss-site-setups-import.service',
    'Imports the folder of site logs, and then each log that is new or changes.',
  ],
];

/** The page gnss-site-setups(1), from the same command lines and settings as `--help`. */
export async function manualPage(version: string, date: Date): Promise<string> {
  const section = (title: string, entries: [string, string][]): string[] => [
    `.SH ${title}`,
    ...entries.flatMap(([term, text]) => entry(term, undefined, text)),
  ];
  return [
    `.TH GNSS\\-SITE\\-SETUPS 1 "${date.toISOString().slice(0, 10)}" "gnss\\-site\\-setups ` +
      `${roff(version)}" "User Commands"`,
    '.SH NAME',
    'gnss\\-site\\-setups \\- publish the equipment history of GNSS sites over HTTP',
    '.SH SYNOPSIS',
    '.B gnss\\-site\\-setups',
    '\\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIFLAG\\fR...]',
    '.br',
    '.B gnss\\-site\\-setups',
    '\\fICOMMAND\\fR \\fB\\-\\-help\\fR',
    '.SH DESCRIPTION',
    'Imports the site logs of GNSS stations into a database, and serves the equipment ' +
      'history of the stations over HTTP.',
    roff(
      'A flag takes precedence over its environment variable, and the environment over the ' +
        'settings file. An empty variable counts as not set.',
    ),
    '.SH COMMANDS',
    ...(await commandLines()).flatMap(commandSection),
    ...section('EXIT STATUS', EXIT_CODES),
    ...section('FILES', FILES),
    ...section('UNITS', UNITS),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '.br',
    roff('The guides in /usr/share/doc/gnss-site-setups.'),
    '',
  ].join('\n');
}

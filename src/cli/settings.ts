import { availableParallelism } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parseAllowedHosts, parseTrustProxy } from '../http/wire/base-url.js';

/** An invalid command line or environment variable; the message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed; the message is one line that says why and what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new Error('expected a number from 0 to 65535');
  return Number(text);
}

/** More processes over one file, or threads in one import, are a mistake. */
const MOST_AT_ONCE = 64;

/** Parses a number of processes or threads, up to {@link MOST_AT_ONCE}. */
function parseParallelism(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_AT_ONCE);
  if (!/^[1-9]\d?$/.test(text) || Number(text) > MOST_AT_ONCE) throw new Error(`expected auto, or a number from 1 to ${MOST_AT_ONCE}`);
  return Number(text);
}

function parseMegabytes(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error('expected a whole number of megabytes from 0 to 999999');
  return Number(text);
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('expected an http or https URL without query, fragment or user, such as https://gnss.example.org/equipment');
  }
  return url.href.replace(/\/+$/, '');
}

function parseLogLevel(text: string): string {
  if (!LOG_LEVELS.includes(text)) throw new Error(`expected one of ${LOG_LEVELS.join(', ')}`);
  return text;
}

/** A setting; its name says its flag and its environment variable. */
export interface Setting<T> {
  argument: string;
  /** The help text. */
  description: string;
  /** Used if neither the flag nor the environment variable is set; null for no default. */
  default: string | null;
  /** Values that a shell offers when it completes the flag. */
  suggestions?: readonly string[];
  /** @throws {Error} that says what was expected */
  parse: (text: string) => T;
}

const asIs = (text: string): string => text;

/** All settings. `baseUrl` is the flag `--base-url` and the environment variable `BASE_URL`; the flag takes precedence. */
export const SETTINGS = {
  database: { argument: 'FILE', description: 'The SQLite database file.', default: 'gnss-site-setups.sqlite', parse: asIs },
  host: {
    argument: 'ADDRESS',
    description: 'The address to listen on. Use TLS or a proxy for anything but loopback.',
    default: '127.0.0.1',
    parse: asIs,
  },
  port: { argument: 'NUMBER', description: 'The port to listen on; 0 for any free port.', default: '8080', parse: parsePort },
  baseUrl: {
    argument: 'URL',
    description: 'The URL that links start with. Default: the scheme and host of each request.',
    default: null,
    parse: parseBaseUrl,
  },
  trustProxy: {
    argument: 'PROXIES',
    description: 'Whose Forwarded or X-Forwarded-* headers to trust: true, false, or a list of proxies (127.0.0.1,10.0.0.0/8).',
    default: 'false',
    parse: parseTrustProxy,
  },
  allowedHosts: {
    argument: 'HOSTS',
    description: 'The hosts that requests may name (gnss.example.org,localhost:8080); others get 421. Default: any.',
    default: null,
    parse: parseAllowedHosts,
  },
  tlsCertificate: {
    argument: 'FILE',
    description: 'PEM certificate (chain). Together with --tls-key, enables HTTPS.',
    default: null,
    parse: asIs,
  },
  tlsKey: { argument: 'FILE', description: 'PEM private key of the certificate.', default: null, parse: asIs },
  cacheMegabytes: {
    argument: 'NUMBER',
    description: 'The most memory for cached answers, in megabytes; 0 turns the cache off.',
    default: '32',
    parse: parseMegabytes,
  },
  workers: {
    argument: 'NUMBER',
    description: 'The number of processes that share the port, or auto for one per core.',
    default: '1',
    suggestions: ['auto'],
    parse: parseParallelism,
  },
  jobs: {
    argument: 'NUMBER',
    description: 'How many threads import logs: one saves, the others read. auto: as many as there are cores.',
    default: '1',
    suggestions: ['auto'],
    parse: parseParallelism,
  },
  logLevel: {
    argument: 'LEVEL',
    description: `Log level: ${LOG_LEVELS.join(', ')}. Logs go to stderr as JSON; debug includes each request.`,
    default: 'info',
    suggestions: LOG_LEVELS,
    parse: parseLogLevel,
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;
/** The values of some settings; null for a setting that has no default and was not given. */
export type SettingValues<N extends SettingName> = {
  [K in N]: ReturnType<(typeof SETTINGS)[K]['parse']> | ((typeof SETTINGS)[K]['default'] extends null ? null : never);
};

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
/** The command-line name of a setting: `base-url` for `baseUrl`. */
export const flagOf = (name: string): string => words(name).join('-');
/** The environment variable of a setting: `BASE_URL` for `baseUrl`. */
export const variableOf = (name: string): string => words(name).join('_').toUpperCase();

/** A flag that belongs to one command and is not a setting. */
export interface OwnFlag {
  argument?: string;
  description: string;
  /** Whether it may be given several times; its value is then a list. */
  repeatable?: boolean;
}

/** The command line of a command. */
export interface CommandLine<N extends SettingName, F extends string> {
  /** The name of the command and its arguments: `import PATH...`. */
  usage: string;
  description: string;
  settings: readonly N[];
  flags: Record<F, OwnFlag>;
}

/** The parsed command line of a command. */
export interface Given<N extends SettingName, F extends string> {
  settings: SettingValues<N>;
  flags: Partial<Record<F, string | boolean | string[]>>;
  arguments: string[];
}

/** Reads the command line and the environment. @throws {UsageError} that names the flag, its value and what was expected */
export function readCommandLine<N extends SettingName, F extends string>(
  command: CommandLine<N, F>,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Given<N, F> {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } };
  for (const name of command.settings) options[flagOf(name)] = { type: 'string' };
  for (const [name, flag] of Object.entries<OwnFlag>(command.flags)) {
    options[name] = { type: flag.argument === undefined ? 'boolean' : 'string', multiple: flag.repeatable === true };
  }
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const settings: Record<string, unknown> = {};
  for (const name of command.settings) {
    const setting: Setting<unknown> = SETTINGS[name];
    const flag = parsed.values[flagOf(name)] as string | undefined;
    const variable = environment[variableOf(name)];
    // An empty variable counts as unset, as is usual in env files.
    const text = flag ?? (variable === '' ? undefined : variable) ?? setting.default;
    const source = flag !== undefined ? `--${flagOf(name)}` : variableOf(name);
    try {
      if (text === '') throw new Error(`expected ${setting.argument}`);
      settings[name] = text === null ? null : setting.parse(text);
    } catch (error) {
      throw new UsageError(`${source} "${text}": ${(error as Error).message}`);
    }
  }
  const flags: Partial<Record<F, string | boolean | string[]>> = {};
  for (const name of Object.keys(command.flags) as F[]) {
    const value = parsed.values[name];
    if (value !== undefined) flags[name] = value as string | boolean | string[];
  }
  return { settings: settings as SettingValues<N>, flags, arguments: parsed.positionals };
}

/** The help text of a command. */
export function helpOf({ usage, description, settings, flags }: CommandLine<SettingName, string>): string {
  const rows = [
    ...Object.entries(flags).map(([name, flag]) => [`--${name}${flag.argument ? ` ${flag.argument}` : ''}`, flag.description]),
    ...settings.map((name) => {
      const setting: Setting<unknown> = SETTINGS[name];
      const fallback = setting.default === null ? '' : ` [${setting.default}]`;
      return [`--${flagOf(name)} ${setting.argument}`, `${setting.description} ${variableOf(name)}${fallback}`];
    }),
    ['--help', 'Show this help.'],
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

import { shownDatabase } from '../../store/address.js';
import { UsageError } from './failures.js';
import {
  LOG_FORMATS,
  LOG_LEVELS,
  parseOneOf,
  parseAllowedHosts,
  parseBaseUrl,
  parseDatabase,
  parseHosts,
  parseNetworkName,
  parseNetworkUrl,
  parseOrigins,
  parseParallelism,
  parsePort,
  parseSocketPath,
  parseSwitch,
  parseTrustProxy,
  wholeNumber,
} from './setting-values.js';

/** A setting. Its flag and its environment variable follow from its name. */
export interface Setting<T> {
  /** The name of the flag's argument; left out for a switch. */
  argument?: string;
  /** The help text. */
  description: string;
  /** Used if the setting is not given; null for no default. */
  default: string | null;
  /** A value, for a setting without a default that is not a switch. */
  example?: string;
  /** Whether the flag may be given several times; the values are then joined by commas. */
  repeatable?: true;
  /** The words that it takes, or some of what it takes, for shells to offer. */
  values?: readonly string[];
  /** @throws {Error} that says what was expected */
  parse: (text: string, environment: NodeJS.ProcessEnv) => T;
}

const asIs = (text: string): string => text;

/**
 * All settings. `baseUrl` is the flag `--base-url`, and `BASE_URL` in the environment and in a
 * settings file. A flag takes precedence over the environment, and the environment over the file.
 */
export const SETTINGS = {
  database: {
    argument: 'FILE|URL',
    description:
      'The SQLite file, or the URL of a PostgreSQL database (postgres://user@host/database).',
    default: 'gnss-site-setups.sqlite',
    parse: parseDatabase,
  },
  host: {
    argument: 'ADDRESSES',
    description:
      'The address to listen on, or several (127.0.0.1,::1). Use TLS or a proxy for ' +
      'anything but loopback.',
    default: '127.0.0.1',
    parse: parseHosts,
  },
  port: {
    argument: 'NUMBER',
    description: 'The port to listen on; 0 for any free port.',
    default: '8080',
    parse: parsePort,
  },
  socket: {
    argument: 'FILE',
    description: 'The Unix socket to listen on, instead of an address and port.',
    default: null,
    example: '/run/gnss-site-setups/http.sock',
    parse: parseSocketPath,
  },
  baseUrl: {
    argument: 'URL',
    description:
      'The URL that links start with. Default: the scheme and host of each request; for export, ' +
      'none.',
    default: null,
    example: 'https://gnss.example.org/equipment',
    parse: parseBaseUrl,
  },
  trustProxy: {
    argument: 'PROXIES',
    description:
      'Whose X-Forwarded-* headers to trust: true, false, or a list of proxies ' +
      '(127.0.0.1,10.0.0.0/8).',
    default: 'false',
    parse: parseTrustProxy,
  },
  allowedHosts: {
    argument: 'HOSTS',
    description:
      'The hosts that requests may name (gnss.example.org,localhost:8080); others get 421. ' +
      'Default: any.',
    default: null,
    example: 'gnss.example.org,localhost:8080',
    parse: parseAllowedHosts,
  },
  corsOrigin: {
    argument: 'ORIGINS',
    description:
      'The origins whose pages may read answers in browsers, separated by commas, or * for all.',
    default: null,
    example: 'https://map.example.org,https://www.example.org',
    repeatable: true,
    parse: parseOrigins,
  },
  tlsCertificate: {
    argument: 'FILE',
    description: 'PEM certificate (chain). Together with its key, enables HTTPS.',
    default: null,
    example: '/etc/gnss-site-setups/server.pem',
    parse: asIs,
  },
  tlsKey: {
    argument: 'FILE',
    description: 'PEM private key of the certificate.',
    default: null,
    example: '/etc/gnss-site-setups/server.key',
    parse: asIs,
  },
  cacheMegabytes: {
    argument: 'NUMBER',
    description: 'The most memory for cached answers, in megabytes; 0 turns the cache off.',
    default: '32',
    parse: wholeNumber(0, 999_999, 'a whole number of megabytes'),
  },
  jobs: {
    argument: 'NUMBER',
    description:
      'How many threads import logs: one saves, the others read. auto: as many as there are cores.',
    default: '1',
    values: ['auto'],
    parse: parseParallelism,
  },
  metricsPort: {
    argument: 'NUMBER',
    description:
      'The port for Prometheus to read metrics from; 0 for any free port. Default: none.',
    default: null,
    example: '9464',
    parse: parsePort,
  },
  metricsHost: {
    argument: 'ADDRESS',
    description: 'The address of the metrics port. Anyone who can reach it can read the metrics.',
    default: '127.0.0.1',
    parse: asIs,
  },
  metricsSocket: {
    argument: 'FILE',
    description: 'The Unix socket for metrics, instead of an address and port. Default: none.',
    default: null,
    example: '/run/gnss-site-setups/metrics.sock',
    parse: parseSocketPath,
  },
  networkName: {
    argument: 'NAME',
    description: 'The name of the network, which every page shows.',
    default: null,
    example: "'Example GNSS Network'",
    parse: parseNetworkName,
  },
  networkUrl: {
    argument: 'URL',
    description: 'The web page of the network, to which every page links.',
    default: null,
    example: 'https://www.example.org/gnss',
    parse: parseNetworkUrl,
  },
  publishContacts: {
    description:
      'Publish the contacts in site logs, the files as imported and their SHA-256. They are ' +
      'withheld by default.',
    default: 'false',
    parse: parseSwitch,
  },
  accessLog: {
    description: 'Log each request with the address of its client, independently of the log level.',
    default: 'false',
    parse: parseSwitch,
  },
  logLevel: {
    argument: 'LEVEL',
    description: `Log level: ${LOG_LEVELS.join(', ')}. debug includes each request.`,
    default: 'info',
    values: LOG_LEVELS,
    parse: parseOneOf(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`),
  },
  logFormat: {
    argument: 'FORMAT',
    description:
      'Log format: text or json. Default: text on a terminal and in the journal of systemd, ' +
      'otherwise json.',
    default: null,
    example: 'json',
    values: LOG_FORMATS,
    parse: parseOneOf(LOG_FORMATS, LOG_FORMATS.join(' or ')),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
/** The values of some settings; null for a setting that has no default and was not given. */
export type SettingValues<N extends SettingName> = {
  [K in N]:
    | ReturnType<(typeof SETTINGS)[K]['parse']>
    | ((typeof SETTINGS)[K]['default'] extends null ? null : never);
};

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
/** The command-line name of a setting: `base-url` for `baseUrl`. */
export const flagOf = (name: string): string => words(name).join('-');
/** The environment variable of a setting: `BASE_URL` for `baseUrl`. */
export const variableOf = (name: string): string => words(name).join('_').toUpperCase();

/**
 * Parses a value.
 * @param source where it comes from, for messages
 * @param helpOf the command whose help explains it; by default the command that runs
 * @throws {UsageError} that says what was expected
 */
export function parsed<T>(
  source: string,
  text: string,
  parse: (text: string) => T,
  helpOf?: string,
): T {
  try {
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(`${source} "${shownDatabase(text)}": ${message}`, helpOf);
  }
}

/** Which of some settings differ, as flags. */
export const changedFlags = <N extends SettingName>(
  before: SettingValues<N>,
  now: SettingValues<N>,
  names: readonly N[],
): string[] =>
  names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
    .map((name) => `--${flagOf(name)}`);

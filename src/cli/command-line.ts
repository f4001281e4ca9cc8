import { type ParseArgsConfig, parseArgs } from 'node:util';
import { shownDatabase } from '../store/postgres/url.js';
import { readConfigFile } from './config-file.js';
import { flagOf, type Setting, type SettingName, SETTINGS, type SettingValues, UsageError, variableOf } from './settings.js';
import { didYouMean } from './wrong-usage.js';

/** How the value of each setting is parsed, by its environment variable. */
const PARSERS = new Map(Object.entries<Setting<unknown>>(SETTINGS).map(([name, { parse }]) => [variableOf(name), parse]));

/** A flag that belongs to one command and is not a setting. */
export interface OwnFlag {
  argument?: string;
  description: string;
  /** Whether it may be given several times; its value is then a list. */
  repeatable?: boolean;
}

/** The flags that all commands have. */
export const commonFlags = ({ settings }: Pick<CommandLine<SettingName, string>, 'settings'>): Record<string, OwnFlag> => ({
  ...(settings.length > 0 && {
    config: {
      argument: 'FILE',
      description: 'Read settings from FILE, with lines NAME=value. Flags and the environment take precedence. CONFIG',
    },
  }),
  help: { description: 'Show this help.' },
});

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

/** The settings in the file that the flag or the environment names; null if there is none. An empty variable counts as unset. */
function readConfig(
  { settings }: CommandLine<SettingName, string>,
  flag: string | undefined,
  variable: string,
): Map<string, string> | null {
  if (flag !== undefined) return readConfigFile(flag, '--config', PARSERS);
  return settings.length === 0 || variable === '' ? null : readConfigFile(variable, 'CONFIG', PARSERS);
}

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The flags and arguments of a command line. A flag takes what follows it, also a number such as -23.67, but not another flag.
 * @throws {UsageError}
 */
function parseFlags(args: string[], options: Options): Pick<Given<never, never>, 'arguments'> & { values: Record<string, unknown> } {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const values: Record<string, unknown> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name]! : undefined;
    if (option === undefined) {
      const names = Object.keys(options).map((each) => `--${each}`);
      throw new UsageError(`unknown flag "${rawName}"${didYouMean(rawName, names)}`);
    }
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value; got "${value}"`);
    if (option.type === 'string' && value === undefined) throw new UsageError(`${rawName} needs a value`);
    if (value !== undefined && !inlineValue && /^-[^\d.]/.test(value))
      throw new UsageError(`${rawName} needs a value; if "${value}" is meant, write ${rawName}=${value}`);
    if (option.multiple === true) values[name] = [...((values[name] as unknown[] | undefined) ?? []), value];
    else values[name] = value ?? true;
  }
  return { values, arguments: positionals };
}

/**
 * Reads the command line, the environment, and the settings file if there is one.
 * @throws {UsageError} that names the flag, its value and what was expected
 * @throws {CommandFailed} if the settings file cannot be read
 */
export function readCommandLine<N extends SettingName, F extends string>(
  command: CommandLine<N, F>,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Given<N, F> {
  const options: Options = {};
  for (const name of command.settings) {
    const { argument, repeatable = false }: Setting<unknown> = SETTINGS[name];
    options[flagOf(name)] = { type: argument === null ? 'boolean' : 'string', multiple: repeatable };
  }
  for (const [name, flag] of Object.entries<OwnFlag>({ ...command.flags, ...commonFlags(command) })) {
    options[name] = { type: flag.argument === undefined ? 'boolean' : 'string', multiple: flag.repeatable === true };
  }
  const parsed = parseFlags(args, options);
  const configured = readConfig(command, parsed.values.config as string | undefined, environment.CONFIG ?? '');
  const settings: Record<string, unknown> = {};
  for (const name of command.settings) {
    const setting: Setting<unknown> = SETTINGS[name];
    // A flag without a value is a switch that is on.
    const flag = parsed.values[flagOf(name)]?.toString();
    // An empty variable counts as unset, as is usual in env files.
    const given = [environment[variableOf(name)], configured?.get(variableOf(name))].find((each) => (each ?? '') !== '');
    const text = flag ?? given ?? setting.default;
    const source = flag !== undefined ? `--${flagOf(name)}` : variableOf(name);
    try {
      if (text === '') throw new Error(`expected ${setting.argument}`);
      settings[name] = text === null ? null : setting.parse(text, environment);
    } catch (error) {
      throw new UsageError(`${source} "${shownDatabase(text ?? '')}": ${(error as Error).message}`);
    }
  }
  const flags: Partial<Record<F, string | boolean | string[]>> = {};
  for (const name of Object.keys(command.flags) as F[]) {
    const value = parsed.values[name];
    if (value !== undefined) flags[name] = value as string | boolean | string[];
  }
  return { settings: settings as SettingValues<N>, flags, arguments: parsed.arguments };
}

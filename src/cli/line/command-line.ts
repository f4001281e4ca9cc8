import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readConfigFile } from './config-file.js';
import { didYouMean, UsageError } from './failures.js';
import { parseOneOf } from './setting-values.js';
import {
  flagOf,
  parsed,
  type Setting,
  type SettingName,
  SETTINGS,
  type SettingValues,
  variableOf,
} from './settings.js';

/** A flag that belongs to one command and is not a setting. */
export interface OwnFlag {
  /** The name of its argument; left out for a switch. */
  argument?: string;
  description: string;
  /** Whether it may be given several times; its value is then a list. */
  repeatable?: true;
  /** The words that it takes. With `parse`, it also takes other texts. */
  values?: readonly string[];
  /** @throws {Error} that says what was expected */
  parse?: (text: string) => unknown;
}

/** What a command line is for, and the command line. */
type Example = readonly [purpose: string, line: string];

/** The command line of a command. */
export interface CommandLine {
  /** The name of the command and its arguments: `import PATH...`. */
  usage: string;
  description: string;
  /** Two examples of its use. Their command lines leave out the name of the program. */
  examples: readonly [Example, Example];
  /**
   * What shells offer for its arguments: files, or words for the first argument. Left out for
   * nothing.
   */
  completes?: 'files' | readonly string[];
  settings: readonly SettingName[];
  flags: Readonly<Record<string, OwnFlag>>;
}

/** The name of a command. */
export const commandNameOf = ({ usage }: Pick<CommandLine, 'usage'>): string =>
  usage.split(' ', 1)[0]!;

type ValueOf<F extends OwnFlag> = F extends { parse: (text: string) => infer T }
  ? T
  : F extends { values: readonly (infer W)[] }
    ? W
    : F extends { argument: string }
      ? string
      : true;

/** The parsed command line of a command. */
export interface Given<C extends CommandLine> {
  settings: SettingValues<C['settings'][number]>;
  flags: {
    [K in keyof C['flags']]?: C['flags'][K] extends { repeatable: true }
      ? ValueOf<C['flags'][K]>[]
      : ValueOf<C['flags'][K]>;
  };
  arguments: string[];
}

/** The flags that all commands have. */
export const commonFlags = ({
  settings,
}: Pick<CommandLine, 'settings'>): Record<string, OwnFlag> => ({
  ...(settings.length > 0 && {
    config: {
      argument: 'FILE',
      description:
        'Read settings from FILE, with lines NAME=value. Flags and the environment take ' +
        'precedence. CONFIG',
    },
  }),
  help: { description: 'Show this help.' },
});

/** All flags of a command: its own, those of its settings, and the common ones. */
export const allFlags = (command: CommandLine): Record<string, Omit<OwnFlag, 'parse'>> => ({
  ...command.flags,
  ...Object.fromEntries(command.settings.map((name) => [flagOf(name), SETTINGS[name]])),
  ...commonFlags(command),
});

type Options = NonNullable<ParseArgsConfig['options']>;

/** The texts of the flags on a command line; a list if a flag may be repeated. */
type GivenFlags = Record<string, string | string[]>;

/**
 * The flags and arguments of a command line. A flag takes what follows it, also a number such as
 * -23.67, but not another flag. Only a flag whose value is a list may be given twice.
 * @throws {UsageError}
 */
function parseFlags(
  args: string[],
  options: Options,
): { values: GivenFlags; positionals: string[] } {
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: GivenFlags = {};
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
    if (option.type === 'boolean' && value !== undefined)
      throw new UsageError(`${rawName} takes no value; got "${value}"`);
    if (option.type === 'string' && value === undefined)
      throw new UsageError(`${rawName} needs a value`);
    if (value !== undefined && !inlineValue && /^-[^\d.]/.test(value))
      throw new UsageError(
        `${rawName} needs a value; if "${value}" is meant, write ${rawName}=${value}`,
      );
    if (option.multiple !== true && values[name] !== undefined)
      throw new UsageError(`${rawName} is given twice; give it once`);
    // A flag without a value is a switch that is on.
    const text = value ?? 'true';
    values[name] = option.multiple === true ? [values[name] ?? [], text].flat() : text;
  }
  return { values, positionals };
}

/** The parser of a flag without one of its own. */
const parserOf = ({ values }: OwnFlag): ((text: string) => string) =>
  values === undefined ? (text) => text : parseOneOf(values);

/** The value of a flag of a command. */
function valueOf(name: string, flag: OwnFlag, given: string | string[]): unknown {
  if (flag.argument === undefined) return true;
  const parse = flag.parse ?? parserOf(flag);
  return Array.isArray(given)
    ? given.map((text) => parsed(`--${name}`, text, parse))
    : parsed(`--${name}`, given, parse);
}

/** The values of the flags of a command that are not settings. */
function readOwnFlags(command: CommandLine, values: GivenFlags): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(command.flags)) {
    const given = values[name];
    if (given !== undefined) flags[name] = valueOf(name, flag, given);
  }
  return flags;
}

/**
 * The settings file that the flag or the variable names; null if there is none. An empty variable
 * counts as unset, as is usual in env files.
 * @throws {WrongSetting} if it cannot be read
 */
function readSettingsFile(
  command: CommandLine,
  values: GivenFlags,
  environment: NodeJS.ProcessEnv,
): Map<string, string> | null {
  if (values.config !== undefined) return readConfigFile(String(values.config), '--config');
  const variable = environment.CONFIG ?? '';
  if (variable === '' || command.settings.length === 0) return null;
  return readConfigFile(variable, 'CONFIG');
}

/** The value of a setting: of its flag, its variable, the settings file, or its default. */
function readSetting(
  name: SettingName,
  values: GivenFlags,
  environment: NodeJS.ProcessEnv,
  file: ReadonlyMap<string, string> | null,
): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const variable = variableOf(name);
  const flag = values[flagOf(name)]?.toString();
  const given = environment[variable] || file?.get(variable) || undefined;
  const text = flag ?? given ?? setting.default;
  if (text === null) return null;
  const source = flag === undefined ? variable : `--${flagOf(name)}`;
  return parsed(source, text, () => {
    if (text === '') throw new Error(`expected ${setting.argument}`);
    return setting.parse(text, environment);
  });
}

/**
 * Reads the command line, the environment, and the settings file if there is one.
 * @throws {UsageError} that names the flag, its value and what was expected
 * @throws {WrongSetting} if the settings file cannot be read
 */
export function readCommandLine<C extends CommandLine>(
  command: C,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Given<C> {
  const options: Options = {};
  for (const [name, { argument, repeatable = false }] of Object.entries(allFlags(command)))
    options[name] = { type: argument === undefined ? 'boolean' : 'string', multiple: repeatable };
  const { values, positionals } = parseFlags(args, options);
  const file = readSettingsFile(command, values, environment);
  const settings: Record<string, unknown> = {};
  for (const name of command.settings)
    settings[name] = readSetting(name, values, environment, file);
  const flags = readOwnFlags(command, values);
  return { settings, flags, arguments: positionals } as Given<C>;
}

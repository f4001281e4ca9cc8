import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readConfigFile } from './config-file.js';
import { didYouMean, UsageError } from './failures.js';
import { goneVariables, messageOfGoneFlag, messageOfGoneVariable } from './gone.js';
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
  /** @throws {Error} that says what was expected */
  parse?: (text: string) => unknown;
}

/** The command line of a command. */
export interface CommandLine {
  /** The name of the command and its arguments: `import PATH...`. */
  usage: string;
  description: string;
  settings: readonly SettingName[];
  flags: Readonly<Record<string, OwnFlag>>;
}

type ValueOf<F extends OwnFlag> = F extends { parse: (text: string) => infer T }
  ? T
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

/**
 * The flags and arguments of a command line. A flag takes what follows it, also a number such as
 * -23.67, but not another flag.
 * @param command its name
 * @throws {UsageError}
 */
function parseFlags(
  command: string,
  args: string[],
  options: Options,
): { values: Record<string, string | string[]>; positionals: string[] } {
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name]! : undefined;
    if (option === undefined) {
      const names = Object.keys(options).map((each) => `--${each}`);
      throw new UsageError(
        messageOfGoneFlag(command, name) ??
          `unknown flag "${rawName}"${didYouMean(rawName, names)}`,
      );
    }
    if (option.type === 'boolean' && value !== undefined)
      throw new UsageError(`${rawName} takes no value; got "${value}"`);
    if (option.type === 'string' && value === undefined)
      throw new UsageError(`${rawName} needs a value`);
    if (value !== undefined && !inlineValue && /^-[^\d.]/.test(value))
      throw new UsageError(
        `${rawName} needs a value; if "${value}" is meant, write ${rawName}=${value}`,
      );
    // A flag without a value is a switch that is on.
    const text = value ?? 'true';
    values[name] = option.multiple === true ? [values[name] ?? [], text].flat() : text;
  }
  return { values, positionals };
}

/**
 * Refuses variables that a command had in an earlier version. An empty variable counts as unset.
 * @throws {UsageError}
 */
function refuseGoneVariables(command: string, environment: NodeJS.ProcessEnv): void {
  const given = goneVariables(command).find((variable) => (environment[variable] ?? '') !== '');
  if (given !== undefined) throw new UsageError(messageOfGoneVariable(given));
}

/** The value of a flag of a command. */
function valueOf(
  name: string,
  { argument, parse = (text) => text }: OwnFlag,
  given: string | string[],
): unknown {
  if (argument === undefined) return true;
  return Array.isArray(given)
    ? given.map((text) => parsed(`--${name}`, text, parse))
    : parsed(`--${name}`, given, parse);
}

/**
 * Reads the command line, the environment, and the settings file if there is one.
 * @throws {UsageError} that names the flag, its value and what was expected
 * @throws {CommandFailed} if the settings file cannot be read
 */
export function readCommandLine<C extends CommandLine>(
  command: C,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Given<C> {
  const options: Options = {};
  for (const [name, { argument, repeatable = false }] of Object.entries(allFlags(command)))
    options[name] = { type: argument === undefined ? 'boolean' : 'string', multiple: repeatable };
  const commandName = command.usage.split(' ', 1)[0] ?? '';
  const { values, positionals } = parseFlags(commandName, args, options);
  refuseGoneVariables(commandName, environment);

  // An empty variable counts as unset, as is usual in env files.
  const variable =
    command.settings.length > 0 && environment.CONFIG !== '' ? environment.CONFIG : undefined;
  const file = values.config ?? variable;
  const configured =
    file === undefined
      ? null
      : readConfigFile(String(file), values.config === undefined ? 'CONFIG' : '--config');
  const settings: Record<string, unknown> = {};
  for (const name of command.settings) {
    const setting: Setting<unknown> = SETTINGS[name];
    const flag = values[flagOf(name)]?.toString();
    const given = [environment[variableOf(name)], configured?.get(variableOf(name))].find(Boolean);
    const text = flag ?? given ?? setting.default;
    const source = flag === undefined ? variableOf(name) : `--${flagOf(name)}`;
    settings[name] =
      text === null
        ? null
        : parsed(source, text, () => {
            if (text === '') throw new Error(`expected ${setting.argument}`);
            return setting.parse(text, environment);
          });
  }
  const flags = Object.entries(command.flags).flatMap(([name, flag]) => {
    const given = values[name];
    return given === undefined ? [] : [[name, valueOf(name, flag, given)]];
  });
  return { settings, flags: Object.fromEntries(flags), arguments: positionals } as Given<C>;
}

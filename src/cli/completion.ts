import { commandLines } from './commands.js';
import { commonFlags, type CommandLine, type Given } from './command-line.js';
import { flagOf, type Setting, type SettingName, SETTINGS, UsageError } from './settings.js';

export const command = {
  usage: 'completion bash|zsh',
  description: [
    'Prints a shell script that completes the commands, flags and values of gnss-site-setups.',
    'The Debian package installs both scripts. Otherwise, for bash: source <(gnss-site-setups completion bash)',
  ].join('\n'),
  settings: [],
  flags: {},
} as const satisfies CommandLine<never, never>;

/** A flag, as a shell completes it. */
interface CompletedFlag {
  name: string;
  description: string;
  repeatable: boolean;
  /** The name of its value; null if it takes none. */
  argument: string | null;
  suggestions: readonly string[];
}

/** A command, as a shell completes it. */
interface CompletedCommand {
  name: string;
  summary: string;
  /** The words that can be its first argument. */
  actions: string[];
  takesFiles: boolean;
  flags: CompletedFlag[];
}

/** Whether something with this name in a usage line is a file or folder. */
const isFile = (argument: string): boolean => /^(FILE|DIR|PATH)\b/.test(argument);

/** Finds what to complete from a usage line: both `log list SITE | log withdraw SITE LOG` and `bash|zsh` have two actions. */
function completedCommand({
  usage,
  description,
  suggestions: first = [],
  settings,
  flags,
}: CommandLine<SettingName, string>): CompletedCommand {
  const lines = usage.split(' | ').map((line) => line.split(' '));
  return {
    name: lines[0]![0]!,
    summary: /^.*?(?=\. |\.?$)/m.exec(description)![0],
    actions: [...lines.flatMap(([, word = '']) => (/^[a-z|-]+$/.test(word) ? word.split('|') : [])), ...first],
    takesFiles: lines.some((line) => line.some((word) => isFile(word.replace('[', '')))),
    flags: [
      ...Object.entries({ ...flags, ...commonFlags({ settings }) }).map(
        ([name, { argument = null, description: text, repeatable = false, suggestions = [] }]) => ({
          name,
          description: text,
          repeatable,
          argument,
          suggestions,
        }),
      ),
      ...settings.map((name) => {
        const { argument, description: text, suggestions = [] }: Setting<unknown> = SETTINGS[name];
        return { name: flagOf(name), description: text, repeatable: false, argument, suggestions };
      }),
    ],
  };
}

/** Quotes a text for both shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const patterns = (flags: CompletedFlag[]): string => flags.map(({ name }) => `--${name}`).join('|');

/** The branches of a command in the bash script: the value of a flag, then what else may follow. */
function bashBranch({ name, actions, takesFiles, flags }: CompletedCommand): string[] {
  const valued = flags.filter(({ argument }) => argument !== null);
  const suggested = valued.filter(({ suggestions }) => suggestions.length > 0);
  const files = valued.filter(({ argument }) => isFile(argument!));
  const others = valued.filter((flag) => !suggested.includes(flag) && !files.includes(flag));
  return [
    `    ${name})`,
    '      case $previous in',
    ...suggested.map((flag) => `        --${flag.name}) _gnss_site_setups_words ${quoted(flag.suggestions.join(' '))}; return ;;`),
    ...(files.length > 0 ? [`        ${patterns(files)}) _gnss_site_setups_files; return ;;`] : []),
    ...(others.length > 0 ? [`        ${patterns(others)}) return ;;`] : []),
    '      esac',
    `      if [[ $word == -* ]]; then _gnss_site_setups_words ${quoted(flags.map((flag) => `--${flag.name}`).join(' '))}`,
    ...(actions.length > 0 ? [`      elif ((COMP_CWORD == 2)); then _gnss_site_setups_words ${quoted(actions.join(' '))}`] : []),
    ...(takesFiles ? ['      else _gnss_site_setups_files'] : []),
    '      fi ;;',
  ];
}

/** The script for bash. It needs nothing but bash. */
const bashScript = (commands: CompletedCommand[]): string =>
  [
    '# Completes gnss-site-setups in bash. Written by: gnss-site-setups completion bash',
    '_gnss_site_setups_words() {',
    '  mapfile -t COMPREPLY < <(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}")',
    '}',
    '_gnss_site_setups_files() {',
    '  compopt -o filenames 2>/dev/null',
    '  mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")',
    '}',
    '_gnss_site_setups() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}',
    '  COMPREPLY=()',
    '  if ((COMP_CWORD == 1)); then',
    `    _gnss_site_setups_words ${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}`,
    '    return',
    '  fi',
    '  case ${COMP_WORDS[1]} in',
    ...commands.flatMap(bashBranch),
    '  esac',
    '}',
    'complete -F _gnss_site_setups gnss-site-setups',
    '',
  ].join('\n');

/** Escapes a text for a description in `_arguments` and `_describe`. */
const zshText = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');

/** What `_arguments` needs to know about a flag. */
function zshFlag({ name, description, repeatable, argument, suggestions }: CompletedFlag): string {
  const values = suggestions.length > 0 ? `(${suggestions.join(' ')})` : argument !== null && isFile(argument) ? '_files' : ' ';
  const value = argument === null ? '' : `:${zshText(argument)}:${values}`;
  return quoted(`${repeatable ? '*' : ''}--${name}${argument === null ? '' : '='}[${zshText(description)}]${value}`);
}

/** The script for zsh: a file for its `fpath`, which can also be sourced. */
const zshScript = (commands: CompletedCommand[]): string =>
  [
    '#compdef gnss-site-setups',
    '# Completes gnss-site-setups in zsh. Written by: gnss-site-setups completion zsh',
    '_gnss-site-setups() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${zshText(summary)}`)}`),
    '  )',
    '  if ((CURRENT == 2)); then',
    '    _describe command commands',
    '    return',
    '  fi',
    '  shift words',
    '  ((CURRENT--))',
    '  case $words[1] in',
    ...commands.flatMap(({ name, actions, takesFiles, flags }) => [
      `    ${name}) _arguments \\`,
      ...(actions.length > 0 ? [`      ${quoted(`1:action:(${actions.join(' ')})`)} \\`] : []),
      ...(takesFiles ? [`      '*:file:_files' \\`] : []),
      `      ${flags.map(zshFlag).join(' \\\n      ')} ;;`,
    ]),
    '  esac',
    '}',
    // In the fpath, the file is the body of the function itself.
    'if [[ $funcstack[1] == _gnss-site-setups ]]; then _gnss-site-setups "$@"; else compdef _gnss-site-setups gnss-site-setups; fi',
    '',
  ].join('\n');

const SCRIPTS: Record<string, (commands: CompletedCommand[]) => string> = { bash: bashScript, zsh: zshScript };

/** The script that completes the command in a shell; undefined for a shell that has none. */
export async function completionScript(shell: string): Promise<string | undefined> {
  return Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell]!((await commandLines()).map(completedCommand)) : undefined;
}

/** Prints the script and returns the exit code. */
export async function run({ arguments: [shell, ...rest] }: Given<never, never>): Promise<number> {
  const script = shell === undefined || rest.length > 0 ? undefined : await completionScript(shell);
  if (script === undefined) throw new UsageError(`completion takes one shell: bash or zsh; got "${[shell, ...rest].join(' ')}"`);
  process.stdout.write(script);
  return 0;
}

import { allFlags, type CommandLine, commandNameOf, type OwnFlag } from './command-line.js';

/** The scripts that complete the command in shells, from the command lines of all commands. */

/** The shells for which there is a script. */
export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/** What a shell offers for an argument: files, or words; no words for nothing. */
type Offer = 'files' | readonly string[];

/** What a shell offers for the argument of a flag; null if the flag takes none. */
function offerFor({ argument, values }: Omit<OwnFlag, 'parse'>): Offer | null {
  if (argument === undefined) return null;
  if (values !== undefined) return values;
  return /^(FILE|DIR)\b/.test(argument) ? 'files' : [];
}

/** All that can be the first word after the name of the program. */
const firstWords = (lines: readonly CommandLine[]): string =>
  [...lines.map(commandNameOf), '--help', '--version'].join(' ');

/** An entry of a `case` in bash. */
function bashEntry(pattern: string, offer: Offer): string {
  if (offer === 'files') return `      ${pattern}) files=yes ;;`;
  return `      ${pattern}) words='${offer.join(' ')}' ;;`;
}

/** The entries in bash for the arguments of a command and of its flags. */
function bashArguments(line: CommandLine): string[] {
  const name = commandNameOf(line);
  const { completes = [] } = line;
  const entries = Object.entries(allFlags(line)).flatMap(([flag, declared]) => {
    const offer = offerFor(declared);
    return offer === null ? [] : [bashEntry(`'${name} --${flag}'`, offer)];
  });
  const pattern = completes === 'files' ? `'${name} '*` : `'${name} ${name}'`;
  return [...entries, bashEntry(pattern, completes)];
}

function bashScript(lines: readonly CommandLine[]): string {
  const flags = lines.map((line) => {
    const names = Object.keys(allFlags(line)).map((flag) => `--${flag}`);
    return bashEntry(commandNameOf(line), names);
  });
  return `# Completes gnss-site-setups in bash: commands, flags, values and files.
_gnss_site_setups() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local words='' files=''
  if ((COMP_CWORD == 1)); then
    words='${firstWords(lines)}'
  elif [[ $word == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
    esac
  else
    # A flag and its value; or the command itself and its first argument.
    case "\${COMP_WORDS[1]} $before" in
${lines.flatMap(bashArguments).join('\n')}
    esac
  fi
  COMPREPLY=()
  if [[ $files == yes ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}
complete -F _gnss_site_setups gnss-site-setups
`;
}

/** What zsh does for an argument. */
const zshAction = (offer: Offer): string => {
  if (offer === 'files') return '_files';
  return offer.length === 0 ? ' ' : `(${offer.join(' ')})`;
};

/** What `_arguments` of zsh says about a flag. */
function zshFlag(flag: string, declared: Omit<OwnFlag, 'parse'>): string {
  const offer = offerFor(declared);
  if (offer === null) return `--${flag}`;
  const repeated = declared.repeatable === true ? '*' : '';
  return `'${repeated}--${flag}=:${flag}:${zshAction(offer)}'`;
}

/** The entry of a command in zsh. */
function zshEntry(line: CommandLine): string {
  const { completes = [] } = line;
  const specifications = Object.entries(allFlags(line)).map(([flag, declared]) =>
    zshFlag(flag, declared),
  );
  if (completes === 'files') specifications.push(`'*:file:_files'`);
  else if (completes.length > 0) specifications.push(`'1:argument:${zshAction(completes)}'`);
  return `    ${commandNameOf(line)}) _arguments ${specifications.join(' \\\n      ')} ;;`;
}

const zshScript = (lines: readonly CommandLine[]): string => `#compdef gnss-site-setups
# Completes gnss-site-setups in zsh: commands, flags, values and files. In a folder of fpath, its
# name is _gnss-site-setups.
_gnss-site-setups() {
  if ((CURRENT == 2)); then
    compadd -- ${firstWords(lines)}
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${lines.map(zshEntry).join('\n')}
  esac
}
# In a folder of fpath, the file is the body of the function itself.
if [[ $funcstack[1] == _gnss-site-setups ]]; then
  _gnss-site-setups "$@"
else
  compdef _gnss-site-setups gnss-site-setups
fi
`;

/** The script for a shell. */
export const completionScript = (shell: Shell, lines: readonly CommandLine[]): string =>
  shell === 'bash' ? bashScript(lines) : zshScript(lines);

import { allFlags, type CommandLine } from './command-line.js';
import { flagOf, type Setting, type SettingName, SETTINGS, variableOf } from './settings.js';

/** The most columns of a line of help: those of the smallest usual terminal. */
const WIDTH = 80;
/** A flag with its argument that has more characters stands on a line of its own. */
const LONGEST_TERM = 24;

/** The help text of a setting, with its variable and default. */
function settingHelp(name: SettingName): string {
  const { description, repeatable, default: fallback }: Setting<unknown> = SETTINGS[name];
  const isRepeatable = repeatable === true ? ' Repeatable.' : '';
  const inBrackets = fallback === null ? '' : ` [${fallback}]`;
  return `${description}${isRepeatable} ${variableOf(name)}${inBrackets}`;
}

/** The words of a text as lines of at most so many columns; a longer word is a line. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/**
 * A description as lines. A line of it that follows a full stop begins a line; other line ends are
 * blanks.
 */
const paragraphs = (description: string): string[] =>
  description.split(/(?<=\.)\n/).flatMap((paragraph) => wrapped(paragraph, WIDTH));

/** A flag with its argument, and its text beside it. */
function entry(term: string, text: string, termWidth: number): string[] {
  const indent = ' '.repeat(termWidth + 4);
  const lines = wrapped(text, WIDTH - indent.length).map((line) => indent + line);
  if (term.length > termWidth) return [`  ${term}`, ...lines];
  const [first, ...others] = lines;
  return [`  ${term.padEnd(termWidth)}  ${first!.trimStart()}`, ...others];
}

/** The help text of a command, for a terminal of 80 columns. */
export function helpOf(command: CommandLine): string {
  const texts = new Map(command.settings.map((name) => [flagOf(name), settingHelp(name)]));
  const flags = Object.entries(allFlags(command)).map(([name, { argument, description }]) => ({
    term: argument === undefined ? `--${name}` : `--${name} ${argument}`,
    text: texts.get(name) ?? description,
  }));
  const lengths = flags.map(({ term }) => term.length);
  const termWidth = Math.max(...lengths.filter((length) => length <= LONGEST_TERM));
  const usages = command.usage.split(' | ').map((usage, index) => {
    const label = index === 0 ? 'Usage:' : '      ';
    return `${label} gnss-site-setups ${usage}`;
  });
  const lines = [
    ...usages,
    '',
    ...paragraphs(command.description),
    '',
    ...flags.flatMap(({ term, text }) => entry(term, text, termWidth)),
    '',
    'Examples:',
    ...command.examples.flatMap(([purpose, line]) => [
      `  # ${purpose}`,
      `  gnss-site-setups ${line}`,
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

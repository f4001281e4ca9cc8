import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_FILE } from '../../src/site-log/read.js';
import { logText } from '../helper.js';
import type { Budget, Campaign } from './campaign.js';
import { MAIN, startNode } from './processes.js';
import type { Random } from './random.js';

/** Looks for logs of the largest size that take much longer than an ordinary one. */

/** How many times the processor time of an ordinary log any other one may take. */
const MOST_TIMES = 3;
/** Less is noise: a process needs about as much to start. In milliseconds. */
const NOISE = 300;

/** Commands that read one log, each with what they need besides it. */
const COMMANDS: Record<string, (log: string, folder: string) => string[]> = {
  import: (log, folder) => ['import', '--database', join(folder, 'a.sqlite'), log],
  text: (log) => ['convert', '--to', 'text1', log],
  geodesyml: (log) => ['convert', '--to', 'geodesyml05', log],
  check: (log) => ['check-log', log],
};

/** Prints the processor time of a command to stderr when it ends, in milliseconds. */
const TIMED = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, '\\nprocessor ' + (user + system) / 1000);
});`;

const line = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}\n`;
const more = '                              : ';

/** An ordinary log of the largest size: hundreds of receivers with remarks. */
function ordinaryLog(): string {
  const receivers = Array.from({ length: 900 }, (_, number) => ({
    type: `TRIMBLE NETR${number % 10}`,
    serial: String(number),
    from: new Date(Date.UTC(1995, 0, 1 + 10 * number)).toISOString().slice(0, 10),
    more: { 'Additional Information': 'firmware updated, cable replaced. '.repeat(50) },
  }));
  return logText({ id: 'SLOW', receivers }).slice(0, LARGEST_FILE);
}

/** Pieces of text that a slow pattern or a nested loop would take long for. */
const PIECES = [
  ' ', '\t', ':', '.', '-', '+', '(', '@', 'a@', 'a.', 'a.b@c.', '(at)', ' dot ', 'a ', 'Name ',
  'Name Nummer ', '0', '0-', '1.', '1e', '2001-01-01', '/', '&#38;', '&amp;', '%40', 'é', '"',
]; // prettier-ignore
const LABELS = [
  'Contact Name', 'Agency', 'E-mail', 'Telephone (primary)', 'Additional Information', 'City or Town',
  'Site Name', 'Receiver Type', 'Serial Number', 'Date Installed', 'Satellite System', 'Strange Label',
  'Date Prepared', 'Differential Components', 'Antenna Radome Type',
]; // prettier-ignore
const HEADINGS = [
  '1.   Site Identification', '2.   Site Location', '3.N  Receiver Type            : A',
  '4.N  Antenna Type             : A', '5.N  Tied Marker Name         : A', '8.1.N Humidity Sensor Model   : A',
  '11.  On-Site, Point of Contact Agency Information', '12.  Responsible Agency', '13.  More Information',
]; // prettier-ignore

/** A log of the largest size, which repeats one thing or another. */
export function slowLog(random: Random): string {
  const head = logText({ id: 'SLOW' });
  const parts = [head];
  let size = head.length;
  const add = (text: string): void => {
    parts.push(text);
    size += text.length;
  };
  const pick = Array.from({ length: random.few(4) }, () => random.pick(PIECES)).join('');
  const long = random.pick([1, 10, 1000, 100_000]);
  const isNumbered = random.chance(0.5);
  const hasHeadings = random.chance(0.4);
  const heading = random.pick(HEADINGS);
  add(`${heading.replace('N', '1')}\n`);
  const label = random.pick(LABELS);
  for (let number = 2; size < LARGEST_FILE - 1; number++) {
    if (hasHeadings) add(`${heading.replace('N', String(number % 1000))}\n`);
    const value = `${pick.repeat(long)}${isNumbered ? number : ''}`;
    add(random.chance(0.5) ? line(label, value) : `${more}${value}\n`);
  }
  return parts.join('').slice(0, LARGEST_FILE - 100_000);
}

/** The processor time of a command for a log, in milliseconds. */
async function processorTime(command: string, log: string, folder: string): Promise<number> {
  const own = mkdtempSync(join(folder, 'run-'));
  const timer = join(own, 'timed.cjs');
  writeFileSync(timer, TIMED);
  const { ended, output } = startNode(['--require', timer, MAIN, ...COMMANDS[command]!(log, own)]);
  await ended;
  rmSync(own, { recursive: true });
  const found = /\nprocessor ([\d.]+)\s*$/.exec(output.stderr);
  if (found === null) throw new Error(`${command} ended early: ${output.stderr.slice(-300)}`);
  return Number(found[1]);
}

/** Compares logs with an ordinary one of the same size, by processor time within one run. */
export async function fuzzSlowLogs(campaign: Campaign, budget: Budget): Promise<void> {
  const ordinary = join(campaign.folder, 'ordinary.log');
  writeFileSync(ordinary, ordinaryLog());
  const usual: Record<string, number> = {};
  for (const command of Object.keys(COMMANDS))
    usual[command] = await processorTime(command, ordinary, campaign.folder);
  let worst = 0;
  await campaign.cases('slow-logs', budget, async (random, number) => {
    const log = join(campaign.folder, `slow-${number}.log`);
    writeFileSync(log, slowLog(random));
    const findings: string[] = [];
    for (const [command, time] of Object.entries(usual)) {
      const taken = await processorTime(command, log, campaign.folder);
      worst = Math.max(worst, taken / time);
      if (taken > MOST_TIMES * time + NOISE)
        findings.push(`${command} took ${taken.toFixed(0)} ms; an ordinary log ${time.toFixed(0)}`);
    }
    rmSync(log);
    return findings;
  });
  campaign.note('slow-logs', `at most ${worst.toFixed(1)} times an ordinary log`);
}

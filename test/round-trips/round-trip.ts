import { isDeepStrictEqual } from 'node:util';
import type { SiteLogSections, Written } from '../../schemas/index.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { type Finding, Findings, type SiteLogForm } from '../../src/site-log/site-log.js';
import { writeSections, WRITTEN_FORMS, type WrittenForm } from '../../src/site-log/write.js';

/** Takes a site log through other forms and back, and finds what is lost on the way. */

/** The form in which a log comes back. */
const HOME = {
  'IGS site log 1': 'text1',
  'IGS site log 2.0': 'text2',
  'GeodesyML 0.4': 'geodesyml04',
  'GeodesyML 0.5': 'geodesyml05',
  'GeodesyML 0.6': 'geodesyml05',
  'SOPAC site log 2004': 'text1',
} as const satisfies Record<SiteLogForm, WrittenForm>;

const read = (text: string): SiteLogSections => readSections(Buffer.from(text), new Findings('again'));
const isWritten = (value: unknown): value is Written => typeof value === 'object' && value !== null && 'written' in value;
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const quoted = (text: string): string => {
  const findings = new Findings('');
  findings.add(1, 'info', '', text);
  return findings.list[0]!.text;
};

/** All values of a log by their paths. Withdrawn blocks come last, and parties are named by their part. */
export function valuesOf(log: SiteLogSections): Map<string, Written> {
  const values = new Map<string, Written>();
  const visit = (value: unknown, path: string): void => {
    if (isWritten(value)) values.set(path, value);
    else if (typeof value === 'object' && value !== null) for (const [name, each] of Object.entries(value)) visit(each, `${path}/${name}`);
  };
  for (const [name, content] of Object.entries(log)) {
    if (!Array.isArray(content)) visit(content, name);
    else if (name === 'responsibleParties') {
      const count = new Map<string, number>();
      for (const party of log.responsibleParties) {
        const number = (count.get(party.role) ?? 0) + 1;
        count.set(party.role, number);
        visit(party, `${party.role}[${number}]`);
      }
    } else {
      const isWithdrawn = (block: (typeof content)[number]): boolean => 'dateDeleted' in block && block.dateDeleted !== null;
      [...content.filter((block) => !isWithdrawn(block)), ...content.filter(isWithdrawn)].forEach((block, index) =>
        visit(block, `${name}[${index + 1}]`),
      );
    }
  }
  return values;
}

/** Whether two values are equal: in what was read, or, where nothing could be read, in what is written. */
function areEqual(a: Written, b: Written | undefined): boolean {
  if (b === undefined) return false;
  const isKnown = a.value !== null && !(typeof a.value === 'object' && a.value.from === null && a.value.to === null);
  return isKnown ? isDeepStrictEqual(a.value, b.value) : onOneLine(a.written) === onOneLine(b.written);
}

/** One way of a log, and what went wrong on it. */
export interface RoundTrip {
  way: string;
  problems: string[];
  /** The texts on the way: out and back. */
  texts: [WrittenForm, string][];
  /** How many values the writers reported to have no place. */
  reported: number;
}

/** Takes a log to a form and back to its own. */
export function roundTrip(log: SiteLogSections, out: WrittenForm): RoundTrip {
  const home = HOME[log.form as SiteLogForm];
  const findings = new Findings('out');
  const there = writeSections(log, out, findings);
  const between = read(there);
  const reportedBack = new Findings('back');
  const back = writeSections(between, home, reportedBack);
  const result = read(back);

  const problems: string[] = [];
  const reported = new Set([...findings.list, ...reportedBack.list].map(({ text }: Finding) => text));
  const [before, middle, after] = [log, between, result].map(valuesOf);
  for (const [path, value] of before!) {
    if (areEqual(value, after!.get(path))) continue;
    const texts = [value, middle!.get(path)].flatMap((each) => (each === undefined ? [] : [quoted(each.written)]));
    if (!texts.some((text) => reported.has(text))) {
      problems.push(`${path}: ${JSON.stringify(value)} became ${JSON.stringify(after!.get(path) ?? null)}`);
    }
  }
  const again = writeSections(read(writeSections(result, out, new Findings(''))), home, new Findings(''));
  if (again !== back) problems.push(`a second round changes ${firstDifference(back, again)}`);
  return {
    way: `${log.form} → ${out} → ${home}`,
    problems,
    texts: [
      [out, there],
      [home, back],
    ],
    reported: reported.size,
  };
}

function firstDifference(a: string, b: string): string {
  const [lines, others] = [a.split('\n'), b.split('\n')];
  const index = lines.findIndex((line, at) => line !== others[at]);
  return `line ${index + 1}: ${JSON.stringify(lines[index])} to ${JSON.stringify(others[index])}`;
}

/** Takes a log through each form and back. */
export const roundTrips = (bytes: Uint8Array): RoundTrip[] => {
  const log = readSections(bytes, new Findings('log'));
  return WRITTEN_FORMS.map((form) => roundTrip(log, form));
};

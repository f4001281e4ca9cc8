import { isDeepStrictEqual } from 'node:util';
import type { SiteLogSections, Written } from '../../schemas/index.js';
import { readSections } from '../../src/site-log/read-sections.js';
import { SECTIONS } from '../../src/site-log/sections/index.js';
import { AGENCY_MEMBERS } from '../../src/site-log/sections/parties.js';
import { type SiteLogForm } from '../../src/site-log/site-log.js';
import { type Finding, Findings, isOf, placesOf } from '../../src/findings/findings.js';
import {
  canWrite,
  writeSections,
  WRITTEN_FORMS,
  type WrittenForm,
} from '../../src/site-log/write.js';
import { isWithdrawn } from '../../src/site-log/withdrawn.js';
import { withNineCharacters } from '../../src/site-log/write/identity.js';

/** Takes a site log through other forms and back, and finds what is lost on the way. */

/** The form in which a log comes back. */
const HOME = {
  'IGS site log 1': 'text1',
  'IGS site log 2.0': 'text2',
  'GeodesyML 0.4': 'geodesyml04',
  'GeodesyML 0.5': 'geodesyml05',
  'GeodesyML 0.6': 'geodesyml06',
  'SOPAC site log 2004': 'text1',
} as const satisfies Record<SiteLogForm, WrittenForm>;

const read = (text: string): SiteLogSections =>
  readSections(Buffer.from(text), new Findings('again'));
const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'written' in value;
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** Whether two texts are one line. The blanks before a drawing that is only a link say nothing. */
const isSameLine = (a: string, b: string): boolean => !a.includes('\n') && a.trim() === b.trim();
const withoutUnit = (text: string): string => onOneLine(text).replace(/( m)+$/, '');
const quoted = (text: string): string => {
  const findings = new Findings('');
  findings.add('position-computed', { line: 1 }, { unknown: ['latitude'], text });
  return findings.list[0]!.text;
};

/**
 * Whether two values are equal: in what was read, or, where nothing could be read, in what is
 * written.
 */
function areEqual(a: Written, b: Written | undefined): boolean {
  if (b === undefined) return false;
  const isKnown =
    a.value !== null &&
    !(typeof a.value === 'object' && a.value.from === null && a.value.to === null);
  return isKnown
    ? isDeepStrictEqual(a.value, b.value) || isSameLine(a.written, b.written)
    : withoutUnit(a.written) === withoutUnit(b.written);
}

/** What two contacts of one agency share. */
const OF_AGENCY: ReadonlySet<string> = new Set(AGENCY_MEMBERS);
const NONE: ReadonlySet<string> = new Set();

/** The values of a block by their names. */
type Block = Record<string, Written>;
type Blocks = Map<string, Block[]>;

const blockOf = (content: object): Block =>
  Object.fromEntries(
    Object.entries<Written>(content as Block).filter(([, value]) => isWritten(value)),
  );

/** The blocks of a log by their sections, and the parties by their part. */
function blocksOf(log: SiteLogSections): Map<string, Block[]> {
  const blocks = new Map<string, Block[]>();
  for (const [name, content] of Object.entries(log)) {
    if (typeof content === 'string') continue;
    if (!Array.isArray(content)) blocks.set(name, [blockOf(content)]);
    else if (name !== 'responsibleParties') blocks.set(name, content.map(blockOf));
  }
  for (const party of log.responsibleParties)
    blocks.set(party.role, [...(blocks.get(party.role) ?? []), blockOf(party)]);
  return blocks;
}

/**
 * Finds the block of each that is left of a section. A form may have no place for a whole block.
 * @param added the names of values that a form adds
 */
function aligned(
  before: Block[],
  after: Block[],
  added: ReadonlySet<string>,
): (Block | undefined)[] {
  let next = 0;
  return before.map((block, index) => {
    const isLeft = before.length - index <= after.length - next;
    const candidate = after[next];
    // Text has no withdrawn items.
    if (candidate === undefined || (isWithdrawn(block) && !isWithdrawn(candidate)))
      return undefined;
    const hasSame = Object.entries(block).some(([name, value]) => areEqual(value, candidate[name]));
    // No form adds a value that is not in `added`, so a block with more values is another one.
    const hasMore = Object.keys(candidate).some(
      (name) => !Object.hasOwn(block, name) && !added.has(name),
    );
    if (!isLeft && (!hasSame || hasMore)) return undefined;
    next++;
    return candidate;
  });
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

/**
 * The parts of a position that are unknown if all of them are 0, which is a finding about the log.
 */
const UNKNOWN_POSITIONS = {
  cartesian: ['x', 'y', 'z'],
  geodetic: ['latitude', 'longitude', 'elevation'],
  // They are read as written.
  degrees: [],
};

/** Takes a log to a form and back to its own. @param reading the findings about the log */
export function roundTrip(
  log: SiteLogSections,
  out: WrittenForm,
  reading: readonly Finding[],
): RoundTrip {
  const home =
    canWrite(log, 'text2') || log.form !== 'IGS site log 2.0'
      ? HOME[log.form as SiteLogForm]
      : 'text1';
  // The text form 1 has no place for what the text form 2.0 needs.
  const rest = log.siteIdentification.nineCharacterId?.written.slice(4) ?? '';
  const complete = (other: SiteLogSections): SiteLogSections =>
    home === 'text2' ? withNineCharacters(other, rest) : other;
  const findings = new Findings('out');
  const there = writeSections(log, out, findings);
  const between = read(there);
  const reportedBack = new Findings('back');
  const back = writeSections(complete(between), home, reportedBack);
  const result = read(back);

  const problems: string[] = [];
  const unknown = reading.flatMap((finding): string[] =>
    isOf(finding, 'zero-position') ? UNKNOWN_POSITIONS[finding.values.of] : [],
  );
  const reported = new Set(
    [...findings.list, ...reportedBack.list].flatMap(placesOf).map(({ text }) => text),
  );
  const [before, middle, after] = [log, between, result].map(blocksOf) as [Blocks, Blocks, Blocks];
  for (const [section, blocks] of before) {
    const added = section in SECTIONS ? NONE : OF_AGENCY;
    const [onTheWay, left] = [middle, after].map((each) =>
      aligned(blocks, each.get(section) ?? [], added),
    );
    blocks.forEach((block, index) => {
      for (const [name, value] of Object.entries(block)) {
        const [between, now] = [onTheWay, left].map((each) => each![index]?.[name]);
        if (areEqual(value, now)) {
          const ways = [between, now].filter((each) => each !== undefined);
          if (!value.written.includes('\n') && ways.some(({ written }) => written.includes('\n')))
            problems.push(
              `${section}[${index + 1}].${name}: came back as several lines: ${JSON.stringify(value.written)}`,
            );
          continue;
        }
        if (section === 'siteLocation' && unknown.includes(name) && value.value === null) continue;
        // The name of a country can take the place of its code, whose loss is reported.
        if (name === 'countryName' && value.written === left![index]?.country?.written) continue;
        const texts = [value, between].flatMap((each) =>
          each === undefined ? [] : [quoted(each.written)],
        );
        if (texts.some((text) => reported.has(text))) continue;
        problems.push(
          `${section}[${index + 1}].${name}: ${JSON.stringify(value)} became ${JSON.stringify(now ?? null)}`,
        );
      }
    });
  }
  const again = writeSections(
    complete(read(writeSections(withAssumed(result), out, new Findings('')))),
    home,
    new Findings(''),
  );
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
  const lines = a.split('\n');
  const others = b.split('\n');
  const index = lines.findIndex((line, at) => line !== others[at]);
  return `line ${index + 1}: ${JSON.stringify(lines[index])} to ${JSON.stringify(others[index])}`;
}

/** A log with nine characters, if it has four. */
export const withAssumed = (log: SiteLogSections): SiteLogSections =>
  withNineCharacters(log, '00AUS');

/** Takes a log through each form and back. */
export const roundTrips = (bytes: Uint8Array): RoundTrip[] => {
  const findings = new Findings('log');
  const log = withAssumed(readSections(bytes, findings));
  return WRITTEN_FORMS.filter((form) => canWrite(log, form)).map((form) =>
    roundTrip(log, form, findings.list),
  );
};

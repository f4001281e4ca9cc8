import { basename } from 'node:path';
import type { Instant } from '../../../schemas/index.js';
import {
  type CheckedHeader,
  checkHeader,
  type Device,
  type RecordedSite,
  type Span,
  spanOf,
} from '../../check/rinex/check-header.js';
import { type NameOfFile, readFileName } from '../../check/rinex/file-name.js';
import { readHeader, type RinexHeader } from '../../check/rinex/header.js';
import { reasonOf } from '../../system-error.js';
import { readFileHeader } from './files.js';
import type { Records } from './records.js';

/** Finds the Site of each file on record, and checks its header. */

/** A file whose header was read. */
interface ReadFile {
  path: string;
  name: NameOfFile | null;
  header: RinexHeader;
}

/** A file that was checked. */
export interface CheckedFile extends ReadFile, CheckedHeader {
  record: RecordedSite;
  span: Span;
  /** What explains the differences, in sentences. */
  hints: string[];
}

/** A file that could not be checked, and why: it cannot be read, or its Site is not on record. */
export interface UncheckedFile {
  path: string;
  kind: 'unreadable' | 'unknown-site';
  reason: string;
}

function read(path: string): ReadFile | UncheckedFile {
  try {
    return {
      path,
      name: readFileName(basename(path)),
      header: readHeader(readFileHeader(path).records),
    };
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    return {
      path,
      kind: 'unreadable',
      reason: isOfSystem ? `cannot be read: ${reasonOf(error)}` : (error as Error).message,
    };
  }
}

/** The ids that a file may have: by its name, then by its marker. */
function idsOf({ name, header: { markerName } }: ReadFile): string[] {
  const marker = markerName?.toUpperCase() ?? '';
  const ids = [
    name?.site,
    /^[A-Z0-9]{4}(?:\d\d[A-Z]{3})?$/.test(marker) ? marker : marker.slice(0, 4),
  ];
  return [...new Set(ids)].filter((id) => id !== undefined && /^[A-Z0-9]{4}/.test(id)) as string[];
}

const fits = (id: string, { site }: RecordedSite): boolean =>
  id === site.nineCharacterId ||
  (id.slice(0, 4) === site.fourCharacterId && (id.length === 4 || site.nineCharacterId === null));

/** The Site of a file; a text that says why there is none. */
function siteOf(file: ReadFile, sites: RecordedSite[]): RecordedSite | string {
  const ids = idsOf(file);
  for (const id of ids) {
    const found = sites.filter((each) => fits(id, each));
    const byMarker = found.filter(
      ({ site }) =>
        ids.includes(site.nineCharacterId ?? '') || site.domesNumber === file.header.markerNumber,
    );
    const site = found.length === 1 ? found[0] : byMarker[0];
    if (site !== undefined && (found.length === 1 || byMarker.length === 1)) return site;
    if (found.length > 1)
      return `several Sites have the id ${id}; neither marker name nor marker number says which`;
  }
  return ids.length === 0
    ? 'neither its name nor its marker name has the id of a Site'
    : `no Site has the id ${ids.join(' or ')}`;
}

const periodWords = ({ from, to }: { from: Instant; to: Instant | null }): string =>
  `${from} to ${to ?? 'now'}`;

/** Where a serial number in a header is on record, if no Setup of the Site has it. */
async function findElsewhere(
  { header, fields, otherSetups, record }: Omit<CheckedFile, 'hints'>,
  records: Records,
): Promise<string[]> {
  const hints: string[] = [];
  for (const [device, field] of [
    ['receiver', 'receiverSerialNumber'],
    ['antenna', 'antennaSerialNumber'],
  ] as const) {
    const { status } = fields.find((each) => each.field === field)!;
    const isElsewhere = status === 'differs' && !otherSetups.some((each) => each.device === device);
    const found = isElsewhere
      ? await records.findSerialNumber(header[field]!, `gnss ${device satisfies Device}`)
      : [];
    const own = record.site.nineCharacterId ?? record.site.fourCharacterId;
    for (const { site, ...period } of found.filter((each) => each.site !== own).slice(0, 3))
      hints.push(
        `The ${device} ${header[field]!} is on record at ${site}, ${periodWords(period)}.`,
      );
  }
  return hints;
}

/** Whether a change during a file would change its header. Sensors and clocks do not appear in headers. */
const hasChanged = (during: CheckedHeader['during']): boolean =>
  new Set(during.map(({ fields }) => JSON.stringify(fields.map(({ record }) => record)))).size > 1;

async function check(
  file: ReadFile,
  sites: RecordedSite[],
  at: Instant | null,
  records: Records,
): Promise<CheckedFile | UncheckedFile> {
  const { path, header, name } = file;
  const record = siteOf(file, sites);
  if (typeof record === 'string') return { path, kind: 'unknown-site', reason: record };
  const span = spanOf(header, name, at);
  if (span === null)
    return {
      path,
      kind: 'unreadable',
      reason: 'neither its header nor its name has a time; give one with --at',
    };
  const checked = { ...file, record, span, ...checkHeader(header, record, span) };
  const { during, best, otherSetups } = checked;
  const first = record.setups[0]?.effectivePeriod.from;
  return {
    ...checked,
    hints: [
      ...(best === null
        ? [
            first === undefined
              ? 'The Site has no Setup.'
              : `The first Setup begins ${first}, after this file.`,
          ]
        : []),
      ...(hasChanged(during)
        ? [
            `The equipment changed during this file: ${during.map(({ setup: { id, effectivePeriod } }) => `Setup ${id} (${periodWords(effectivePeriod)})`).join(', ')}; Setup ${best!.id} matches best.`,
          ]
        : []),
      ...otherSetups.map(
        ({ device, which, id, ...period }) =>
          `The ${device} fits the ${which} Setup, ${id} (${periodWords(period)}).`,
      ),
      ...(await findElsewhere(checked, records)),
    ],
  };
}

/** How many files are checked with one reading of their Sites. */
const AT_ONCE = 500;

/** Checks files, in their order. @param at the time of all files; null for the time of each */
export async function* checkFiles(
  paths: Iterable<string>,
  records: Records,
  at: Instant | null,
): AsyncGenerator<CheckedFile | UncheckedFile> {
  let files: (ReadFile | UncheckedFile)[] = [];
  /** The Sites of the last files: archives are sorted by Site or by day. */
  let known = new Map<string, RecordedSite[]>();
  const checkAll = async function* (): AsyncGenerator<CheckedFile | UncheckedFile> {
    const needed = new Set(
      files.flatMap((file) => ('header' in file ? idsOf(file).map((id) => id.slice(0, 4)) : [])),
    );
    const missing = [...needed].filter((id) => !known.has(id));
    const found = Map.groupBy(await records.findSites(missing), ({ site }) => site.fourCharacterId);
    known = new Map([...needed].map((id) => [id, known.get(id) ?? found.get(id) ?? []]));
    const sites = [...known.values()].flat();
    for (const file of files) yield 'header' in file ? await check(file, sites, at, records) : file;
    files = [];
  };
  for (const path of paths) {
    files.push(read(path));
    if (files.length === AT_ONCE) yield* checkAll();
  }
  yield* checkAll();
}

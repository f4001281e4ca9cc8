import type { CorsSite, Period } from '../../schemas/index.js';
import { deriveSetups } from '../derive/setups.js';
import { type LineMissingInFormat, missingLines } from '../formats/missing-lines.js';
import { intervalOf } from '../formats/site-history.js';
import { placeOf } from '../site-log/record.js';
import type { LogItem, SiteLog } from '../site-log/site-log.js';
import type { Place } from '../findings/finding.js';
import { Findings, type Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/** Checks which lines would be missing from files for geodetic software because of a log. */

/** The Site of a log, as formats need it. */
function siteOf({ identification, agency }: SiteLog): CorsSite {
  const { city, state, country, countryCode } = identification;
  const { latitude, longitude, elevation: height, x, y, z } = identification;
  return {
    ...identification,
    id: 0,
    siteStatus: null,
    formerIds: [],
    agency,
    description: identification.notes,
    monument: {
      description: identification.monumentDescription,
      foundation: identification.monumentFoundation,
      height: identification.monumentHeight,
      markerDescription: identification.markerDescription,
    },
    location: { city, state, country, countryCode, latitude, longitude, height, x, y, z },
  };
}

const isInUseAt =
  (instant: string) =>
  ({ from, to }: LogItem): boolean =>
    (from === null || from <= instant) && (to === null || to > instant);

/** The place of the item that a missing line would describe: the last of its kind in use then. */
function placeOfItem({ items }: SiteLog, { from }: Period, why: string): Place {
  const kind = why.startsWith('receiver') ? 'gnss receiver' : 'gnss antenna';
  const inUse = items.filter(isInUseAt(from));
  const meant = inUse.findLast(({ id }) => id.equipmentType === kind) ?? inUse.at(-1);
  return meant === undefined ? { line: 1 } : placeOf(meant);
}

/** A day, in milliseconds: shorter times without a receiver or an antenna are one visit. */
const DAY = 86_400_000;

/** Whether a line is missing only because equipment was replaced within a day. */
const isShortGap = ({ from, to }: Period, why: string): boolean =>
  /^no (receiver|antenna)$/.test(why) && to !== null && Date.parse(to) - Date.parse(from) <= DAY;

const formatName = ({ format, place }: LineMissingInFormat): string =>
  place === null ? format : `${place} of ${format}`;

/** The names of formats as an enumeration. */
function enumerated(names: readonly string[]): string {
  const last = names.at(-1)!;
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Checks that SINEX, station.info and STA have a line for each period of a log. */
export function checkExports({ log, sections }: CheckedLog, report: Report): void {
  const intervals = deriveSetups(log.items, new Findings('')).map((setup) => intervalOf(setup));
  const history = { site: siteOf(log), namesakes: [], isShared: false, intervals };
  const missing = missingLines({ ...history, agency: log.agency });
  const alike = Map.groupBy(missing, ({ period, why }) => JSON.stringify([period, why]));
  for (const group of alike.values()) {
    const { period, why } = group[0]!;
    const names = enumerated([...new Set(group.map(formatName))]);
    if (period === null) {
      const { latitude, x } = sections.siteLocation;
      const place = { line: latitude?.line ?? x?.line ?? 1, section: '2' };
      report('no-export-line', place, { files: names, period, reason: why });
      continue;
    }
    const values = { files: names, period, reason: why };
    const level = isShortGap(period, why) ? 'info' : 'warning';
    // Not when it ends: a period that is open now ends with the next antenna.
    const place = placeOfItem(log, period, why);
    report('no-export-line', place, { ...values, text: period.from }, level);
  }
}

import type { Period } from '../../schemas/index.js';
import type { Reason } from '../findings/notes.js';
import { enumerated } from '../words.js';
import { isInUseAt } from '../derive/periods.js';
import { deriveSetups } from '../derive/setups.js';
import { type MissingLine, missingLines } from '../formats/missing-lines.js';
import { intervalOf } from '../formats/site-history.js';
import { placeOf } from '../site-log/record.js';
import { isTextForm, type SiteLog } from '../site-log/site-log.js';
import { DAY } from '../requests/units-of-time.js';
import type { Place } from '../findings/finding.js';
import { Findings, type Report } from '../findings/findings.js';
import type { CheckedLog } from './checked-log.js';

/** Checks which lines would be missing from files for geodetic software because of a log. */

/** The place of the item that a missing line would describe: the last of its kind in use then. */
function placeOfItem({ items }: SiteLog, { from }: Period, [first]: readonly Reason[]): Place {
  const isAboutReceiver = first?.code === 'unknown-type' && first.device === 'receiver';
  const kind = isAboutReceiver ? 'gnss receiver' : 'gnss antenna';
  const inUse = items.filter((item) => isInUseAt(item, from));
  const meant = inUse.findLast(({ id }) => id.equipmentType === kind) ?? inUse.at(-1);
  return meant === undefined ? { line: 1 } : placeOf(meant);
}

/**
 * Whether a line is missing only because equipment was replaced: up to a day without a receiver or
 * an antenna is one visit.
 */
const isShortGap = ({ from, to }: Period, [first]: readonly Reason[]): boolean =>
  first?.code === 'no-device' && to !== null && Date.parse(to) - Date.parse(from) <= DAY;

const formatName = ({ format, note: { block } }: MissingLine): string =>
  block === null ? format : `${block} of ${format}`;

/** Checks that SINEX, station.info and STA have a line for each period of a log. */
export function checkExports({ log, sections }: CheckedLog, report: Report): void {
  const intervals = deriveSetups(log.items, new Findings('')).map((setup) =>
    intervalOf(setup, { isText: isTextForm(sections.form) }),
  );
  const { identification, agency, agencies } = log;
  const location = { ...identification, height: identification.elevation };
  const site = { ...identification, id: 0, location };
  const missing = missingLines({
    site,
    namesakes: [],
    newer: [],
    isShared: false,
    agency,
    agencies,
    intervals,
  });
  const alike = Map.groupBy(missing, ({ note: { period, reasons } }) =>
    JSON.stringify([period, reasons]),
  );
  for (const group of alike.values()) {
    const { period, reasons } = group[0]!.note;
    const names = enumerated([...new Set(group.map(formatName))]);
    if (period === undefined) {
      const { latitude, x } = sections.siteLocation;
      const place = { line: latitude?.line ?? x?.line ?? 1, section: '2' };
      report('no-export-line', place, { files: names, period: null, reasons });
      continue;
    }
    const values = { files: names, period, reasons };
    const level = isShortGap(period, reasons) ? 'info' : 'warning';
    // Not when it ends: a period that is open now ends with the next antenna.
    const place = placeOfItem(log, period, reasons);
    report('no-export-line', place, { ...values, text: period.from }, level);
  }
}

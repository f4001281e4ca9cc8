import type { Setup } from '../../schemas/index.js';
import type { BlankEccentricity } from '../formats/eccentricities.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { compareWith, matchOf, RECOGNISED_BY, type SetupDuring } from './best-match.js';
import { type Comparison, isEqual } from './compare.js';
import { type Device, DEVICES, type Field } from './fields.js';
import type { NoEquipment, OtherSetup } from './findings.js';
import type { RinexHeader } from './header/header.js';
import type { Span } from './identify.js';
import {
  ALL_DEVICES,
  type Equipped,
  hasDevice,
  isCoveredBy,
  noEquipmentDuring,
  setupsToCompare,
} from './setups-during.js';

/** Checks a header against all that is on record about a Site. */

/** What was found about a header. */
export interface CheckedHeader {
  /** Compared with the best match, in the order of {@link FIELDS}. */
  fields: Comparison[];
  /** The names and abbreviations of the agencies of the Site. */
  agencies: string[];
  /** The devices of which none is on record at any time of the file. */
  noEquipment: NoEquipment[];
  /** The Setups in effect during the file, each with its own comparison. */
  during: SetupDuring[];
  /** Whether there is one at every time of the file. */
  isCovered: boolean;
  /** The one that matches best; null if there is none. */
  best: Setup | null;
  /** The eccentricities of it that are blank in the log, and count as 0. */
  zeros: Field[];
  /** The kinds of equipment of which it has several in use, if the header does not identify one. */
  unclear: Device[];
  otherSetups: OtherSetup[];
  /** Date Prepared of the log, if the file begins on a later day; otherwise null. */
  recordPrepared: string | null;
  /**
   * The devices that are probably newer than the record: they differ from the last Setup, and the
   * file begins after Date Prepared.
   */
  newerDevices: Device[];
}

const differing = (fields: Comparison[]): number =>
  fields.filter(({ status }) => status === 'differs').length;

/** The element for which a number is least; the first of several. */
function least<T>(elements: T[], numberOf: (element: T) => number): T | null {
  return elements.reduce<T | null>(
    (best, each) => (best === null || numberOf(each) < numberOf(best) ? each : best),
    null,
  );
}

const NO_SETUP: Equipped = {
  effectivePeriod: { from: '', to: null },
  equipmentInUse: [],
};

const ofDevice = (fields: Comparison[], device: Device): Comparison[] =>
  fields.filter(({ field }) => RECOGNISED_BY[device].includes(field));

/**
 * Whether a header fits the device of another Setup: nothing differs, and what differs now is equal
 * there.
 */
function fits(there: Comparison[], here: Comparison[]): boolean {
  return there.every(
    (each, index) =>
      each.status !== 'differs' && (here[index]!.status !== 'differs' || isEqual(each)),
  );
}

const beforeIt = (isNext: boolean) => (isNext ? 'previous' : 'earlier');
const afterIt = (isNext: boolean) => (isNext ? 'next' : 'later');

/**
 * The Setup of the Site that a device in the header fits best, and of several the nearest in time;
 * null if there is none.
 */
function findOtherSetup(
  header: RinexHeader,
  recordedSite: RecordedSite,
  best: Setup,
  fields: Comparison[],
  device: Device,
  blank: BlankEccentricity,
): OtherSetup | null {
  const here = ofDevice(fields, device);
  const position = recordedSite.setups.indexOf(best);
  const compared = recordedSite.setups.map((setup) =>
    ofDevice(compareWith(header, recordedSite, setup, blank).fields, device),
  );
  const found = [...compared.keys()].filter(
    (index) => index !== position && fits(compared[index]!, here),
  );
  const equals = (each: number): number => compared[each]!.filter(isEqual).length;
  const most = Math.max(...found.map(equals));
  const index = least(
    found.filter((each) => equals(each) === most),
    (each) => Math.abs(each - position),
  );
  if (index === null) return null;
  const { id, effectivePeriod } = recordedSite.setups[index]!;
  // Setups in between that have the same device as the best one are no other.
  const between = compared.slice(Math.min(index, position) + 1, Math.max(index, position));
  const isNext = between.every((each) => JSON.stringify(each) === JSON.stringify(here));
  const which = index < position ? beforeIt(isNext) : afterIt(isNext);
  return { device, id, ...effectivePeriod, which };
}

/** The other Setups that the devices in a header fit, if they differ from the best one. */
const otherSetupsOf = (
  header: RinexHeader,
  recordedSite: RecordedSite,
  best: Setup,
  fields: Comparison[],
  blank: BlankEccentricity,
): OtherSetup[] =>
  ALL_DEVICES.filter((device) => differing(ofDevice(fields, device)) > 0)
    .map((device) => findOtherSetup(header, recordedSite, best, fields, device, blank))
    .filter((each) => each !== null);

/** The devices in a header that differ from the last Setup on record. */
function devicesUnlikeLast(
  header: RinexHeader,
  recordedSite: RecordedSite,
  blank: BlankEccentricity,
): Device[] {
  const last = recordedSite.setups.at(-1);
  if (last === undefined) return [];
  const { fields } = compareWith(header, recordedSite, last, blank);
  return ALL_DEVICES.filter((device) => {
    const ofIdentity: readonly Field[] = DEVICES[device];
    return differing(fields.filter(({ field }) => ofIdentity.includes(field))) > 0;
  });
}

/**
 * Compares a header with the record of a Site during a file.
 * @param blank what a blank eccentricity counts as
 */
export function checkHeader(
  header: RinexHeader,
  recordedSite: RecordedSite,
  span: Span,
  blank: BlankEccentricity = 'zero',
): CheckedHeader {
  const { datePrepared } = recordedSite;
  const isNewer = datePrepared !== null && span.from.slice(0, 10) > datePrepared;
  const during = setupsToCompare(recordedSite.setups, span).map((setup) => ({
    setup,
    without: ALL_DEVICES.filter((device) => !hasDevice(setup, device)),
    ...compareWith(header, recordedSite, setup, blank),
  }));
  const match = matchOf(during);
  const fields = match?.fields ?? compareWith(header, recordedSite, NO_SETUP, blank).fields;
  const best = match?.setup ?? null;
  return {
    fields,
    agencies: recordedSite.agencies,
    noEquipment: noEquipmentDuring(recordedSite.setups, during, span),
    during,
    isCovered: isCoveredBy(
      during.map(({ setup }) => setup),
      span,
    ),
    best,
    zeros: match?.zeros ?? [],
    unclear: match?.unclear ?? [],
    otherSetups: best === null ? [] : otherSetupsOf(header, recordedSite, best, fields, blank),
    recordPrepared: isNewer ? datePrepared : null,
    newerDevices: isNewer ? devicesUnlikeLast(header, recordedSite, blank) : [],
  };
}

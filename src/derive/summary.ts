import type { Instant, SetupEquipmentType } from '../../schemas/index.js';
import type { SiteIdentification } from '../site-log/site-log.js';
import { comparableSerialNumber, type Identity } from './devices.js';
import type { DerivedSetup } from './setups.js';

/** The current Setup of a Site in short. */
interface CurrentEquipment {
  /** The types of the receivers in use, as the Setup lists them. */
  receivers: (string | null)[];
  /** The types of the antennas in use, as the Setup lists them. */
  antennas: (string | null)[];
  /** The start of the Setup. */
  since: Instant;
}

/** What a list of Sites shows and searches, in addition to the members of the Site itself. */
export interface DerivedSummary {
  /** null if there is no current Setup. */
  current: CurrentEquipment | null;
  /**
   * The text to search, folded like {@link searchWordsOf}. A store also searches the nine-character
   * id.
   */
  searchText: string;
  /** The same of equipment that the Site no longer uses; without what is in use as well. */
  formerText: string;
}

/** Removes differences of case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a search, folded like the text to search. */
const searchWordsOf = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean);

/**
 * The words that a text must have so that it has all words, the rarest kind (the longest) first:
 * few texts get past it.
 */
export const neededWordsOf = (text: string): string[] =>
  [...new Set(searchWordsOf(text))]
    .filter((word, _, all) => !all.some((other) => other !== word && other.includes(word)))
    .sort((a, b) => b.length - a.length);

/** What is searched of a device: its serial number as it is written, and as it is compared. */
const valuesOf = ({ type, manufacturer, serialNumber }: Identity): string[] => {
  const values = [
    type,
    manufacturer,
    serialNumber,
    serialNumber && comparableSerialNumber(serialNumber),
  ];
  return [...new Set(values.filter((value) => value !== null))];
};

/** The text to search of a device, folded like {@link searchWordsOf}. */
export const searchTextOf = (device: Identity): string => fold(valuesOf(device).join('\n'));

/**
 * Derives the summary of a Site. Pure.
 * @param setups in chronological order, as `deriveSetups` returns them
 */
export function deriveSummary(site: SiteIdentification, setups: DerivedSetup[]): DerivedSummary {
  const setup = setups.at(-1);
  const inUse = (setup?.equipmentInUse ?? []).map(({ content: { id } }) => id);
  const typesOf = (kind: SetupEquipmentType) =>
    inUse.filter(({ equipmentType }) => equipmentType === kind).map(({ type }) => type);
  const current = new Set(inUse.flatMap(valuesOf));
  // An item is in many Setups, as the same object.
  const items = new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse));
  const all = new Set([...items].flatMap(({ content: { id } }) => valuesOf(id)));
  const words = [
    site.fourCharacterId,
    site.name,
    site.domesNumber,
    site.city,
    site.state,
    site.country,
    ...inUse.flatMap(valuesOf),
  ];
  return {
    current: setup
      ? {
          receivers: typesOf('gnss receiver'),
          antennas: typesOf('gnss antenna'),
          since: setup.effectivePeriod.from,
        }
      : null,
    searchText: fold(words.filter((each) => each !== null).join('\n')),
    formerText: fold([...all].filter((each) => !current.has(each)).join('\n')),
  };
}

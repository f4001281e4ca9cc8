import type { EquipmentType, Instant } from '../../schemas/index.js';
import type { SiteIdentification } from '../site-log/site-log.js';
import { type Completeness, completenessOf } from './completeness.js';
import type { DerivedSetup } from './setups.js';

/** The current Setup of a Site in short; `asked` and `known` say how complete its site log is. */
export interface CurrentEquipment extends Completeness {
  /** The types of the receivers in use, as the Setup lists them. */
  receivers: (string | null)[];
  /** The types of the antennas in use, as the Setup lists them. */
  antennas: (string | null)[];
  /** When the Setup began. */
  since: Instant;
}

/** What a list of Sites shows and searches of one Site, beside the members of the Site itself. */
export interface DerivedSummary {
  /** null where there is no current Setup. */
  current: CurrentEquipment | null;
  /** What a search looks through, in the form of {@link searchWordsOf}. The nine-character id is searched as well. */
  searchText: string;
}

/** Text as it is searched: without case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a search, folded like the text that is searched. */
export const searchWordsOf = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean);

/** Sums up a Site for a list. Pure. @param setups in order of time, as `deriveSetups` gives them */
export function deriveSummary(site: SiteIdentification, setups: DerivedSetup[]): DerivedSummary {
  const setup = setups.at(-1);
  const inUse = (setup?.equipmentInUse ?? []).map(({ content: { id } }) => id);
  const typesOf = (kind: EquipmentType) => inUse.flatMap(({ equipmentType, type }) => (equipmentType === kind ? [type] : []));
  const searched = [site.fourCharacterId, site.name, site.domesNumber, site.city, site.state, site.country];
  for (const { type, manufacturer, serialNumber } of inUse) searched.push(type, manufacturer, serialNumber);
  return {
    current:
      setup === undefined
        ? null
        : {
            receivers: typesOf('gnss receiver'),
            antennas: typesOf('gnss antenna'),
            since: setup.effectivePeriod.from,
            ...completenessOf(setup.equipmentInUse),
          },
    searchText: fold(searched.filter((each) => each !== null).join('\n')),
  };
}

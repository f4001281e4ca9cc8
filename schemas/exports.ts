import type { Static, TObject, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { Change } from './change.js';
import { CorsSite } from './cors-site.js';
import { EQUIPMENT_KINDS, EQUIPMENT_TYPES, type InstalledEquipment } from './equipment.js';
import { FeedChange, FeedEntry } from './feed.js';
import { SiteFinding } from './finding.js';
import { Setup } from './setup.js';
import {
  closed,
  enumOf,
  Id,
  idsOfSite,
  NullableNumber,
  NullableString,
  orNull,
  PeriodOfUse,
} from './values.js';

/** What exports have: each schema is that of one line of NDJSON. */

/** The Site of an exported element. */
export const ExportedPlace = closed('The Site of an exported element.', {
  ...idsOfSite,
  name: NullableString('Site Name (site log section 1).'),
  latitude: NullableNumber('Latitude in degrees, north positive.'),
  longitude: NullableNumber('Longitude in degrees, east positive.'),
});
export type ExportedPlace = Static<typeof ExportedPlace>;

/** A Setup with its Site. */
export const ExportedSetup = closed('A Setup with its Site.', {
  ...Setup.properties,
  site: ExportedPlace,
});
export type ExportedSetup = Static<typeof ExportedSetup>;

type Content = InstalledEquipment['content'];

/** A part of an item of equipment of any kind. */
const partOfAny = <Part extends 'id' | 'configuration'>(part: Part, description: string) =>
  Type.Unsafe<Content[Part]>(
    Type.Union(
      EQUIPMENT_TYPES.map((type): TObject => EQUIPMENT_KINDS[type][part]),
      { description },
    ),
  );

/** A device in use at a Site in one configuration. */
export const ExportedInstallation = closed('A device in use at a Site in one configuration.', {
  id: Id('the installation'),
  siteId: Id('the Site'),
  site: ExportedPlace,
  device: partOfAny('id', 'The device as the site log has it at this Site.'),
  period: PeriodOfUse('use of the device as configured'),
  configuration: partOfAny('configuration', 'The configuration of the device.'),
});
export type ExportedInstallation = Static<typeof ExportedInstallation>;

const { _links: _linksOfChange, ...changeMembers } = Change.properties;
const { _links: _linksOfFinding, ...findingMembers } = SiteFinding.properties;

/** A change with its Site. */
export const ExportedChange = closed('A change to the equipment at a Site, with the Site.', {
  ...changeMembers,
  id: Id('the change'),
  site: ExportedPlace,
});
export type ExportedChange = Static<typeof ExportedChange>;

/** A finding with its Site. */
export const ExportedFinding = closed(
  'Something that was found in the current site log of a Site, with the Site.',
  {
    ...findingMembers,
    id: Id('the finding; a newer log of the Site has findings with other ids'),
    site: ExportedPlace,
  },
);
export type ExportedFinding = Static<typeof ExportedFinding>;

const { kind, recordedAt, effectiveFrom, isNew, siteChanged, siteLog } = FeedEntry.properties;

/** One change in an entry of the feed, with the Site; or an entry that lists none. */
export const ExportedFeedRow = closed(
  'One change in an entry of the feed, with the Site; or an entry without changes.',
  {
    id: Id('the row'),
    entry: Type.String({ description: 'The id of the entry.' }),
    recordedAt,
    event: kind,
    effectiveFrom,
    siteId: Id('the Site'),
    site: ExportedPlace,
    siteLog: closed(siteLog.description!, {
      name: siteLog.properties.name,
      datePrepared: siteLog.properties.datePrepared,
    }),
    isNew,
    siteChanged,
    setupsAdded: Type.Integer({ description: 'How many Setups were added.' }),
    setupsSuperseded: Type.Integer({ description: 'How many Setups were superseded.' }),
    outcome: orNull(
      enumOf(['added', 'corrected', 'superseded'], 'The list of the entry.'),
      'Whether the change was added, corrected or superseded; null if the entry lists none.',
    ),
    change: orNull(FeedChange, 'The change; null if the entry lists none.'),
  },
);
export type ExportedFeedRow = Static<typeof ExportedFeedRow>;

/** What can be exported as a table. */
export const EXPORTS = ['sites', 'setups', 'installations', 'changes', 'findings', 'feed'] as const;
export type ExportName = (typeof EXPORTS)[number];

/** The schema of each exported element. */
export const EXPORTED: Record<ExportName, TSchema> = {
  sites: CorsSite,
  setups: ExportedSetup,
  installations: ExportedInstallation,
  changes: ExportedChange,
  findings: ExportedFinding,
  feed: ExportedFeedRow,
};

import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Change } from './change.js';
import { CorsSite } from './cors-site.js';
import { EQUIPMENT_KINDS, EQUIPMENT_TYPES, type InstalledEquipment } from './equipment.js';
import { Setup } from './setup.js';
import { NullableNumber, NullableString, PeriodOfUse } from './values.js';

/** What exports have: each schema is that of one line of NDJSON. */

const closed = (description: string) => ({ additionalProperties: false, description });

/** The Site of an exported element. */
export const ExportedPlace = Type.Object(
  {
    fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
    nineCharacterId: NullableString({ description: 'The nine-character id of the Site.' }),
    name: NullableString({ description: 'Site Name (site log section 1).' }),
    latitude: NullableNumber({ description: 'Latitude in degrees, north positive.' }),
    longitude: NullableNumber({ description: 'Longitude in degrees, east positive.' }),
  },
  closed('The Site of an exported element.'),
);
export type ExportedPlace = Static<typeof ExportedPlace>;

/** A Setup with its Site. */
export const ExportedSetup = Type.Object({ ...Setup.properties, site: ExportedPlace }, closed('A Setup with its Site.'));
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
export const ExportedInstallation = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Identifies the installation.' }),
    siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
    site: ExportedPlace,
    device: partOfAny('id', 'The device as the site log has it at this Site.'),
    period: PeriodOfUse('use of the device as configured'),
    configuration: partOfAny('configuration', 'The configuration of the device.'),
  },
  closed('A device in use at a Site in one configuration.'),
);
export type ExportedInstallation = Static<typeof ExportedInstallation>;

const { _links, ...changeMembers } = Change.properties;

/** A change with its Site. */
export const ExportedChange = Type.Object(
  { ...changeMembers, id: Type.Integer({ minimum: 1, description: 'Identifies the change.' }), site: ExportedPlace },
  closed('A change to the equipment at a Site, with the Site.'),
);
export type ExportedChange = Static<typeof ExportedChange>;

/** What can be exported as a table. */
export const EXPORTS = ['sites', 'setups', 'installations', 'changes'] as const;
export type ExportName = (typeof EXPORTS)[number];

/** The schema of each exported element. */
export const EXPORTED: Record<ExportName, TSchema> = {
  sites: CorsSite,
  setups: ExportedSetup,
  installations: ExportedInstallation,
  changes: ExportedChange,
};

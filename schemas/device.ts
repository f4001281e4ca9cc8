import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import { Link } from './hal.js';
import { NullableString, Period } from './values.js';

/** A device in use at a Site in one configuration: what `projection=installations` adds. */
const installation = <C extends TObject>(configuration: C, title: string) =>
  Type.Object(
    {
      siteId: Type.Integer({ minimum: 1, description: 'Identifies the Site.' }),
      fourCharacterId: Type.String({ description: 'The four-character id of the Site.' }),
      siteName: NullableString({ description: 'The name of the Site (site log section 1).' }),
      period: Period(`use of the ${title} at the Site in this configuration`),
      configuration,
      conflictsWith: Type.Array(Type.String(), {
        description: 'The four-character ids of other Sites whose logs have the same device in use at some time of this period.',
      }),
      _links: Type.Object({ corsSite: Link }, { additionalProperties: false, description: 'The Site.' }),
    },
    { additionalProperties: false, description: `Use of a ${title} at a Site in one configuration.` },
  );

/** The installations of a device, in order of time. */
export const installationList = <C extends TObject>(configuration: C, title: string, item: string) =>
  Type.Object(
    {
      _embedded: Type.Object(
        { installations: Type.Array(installation(configuration, title), { description: 'The installations, in order of time.' }) },
        { additionalProperties: false, description: 'What was found.' },
      ),
      _links: Type.Object({ self: Link, [item]: Link }, { additionalProperties: false, description: 'Links to this and to the device.' }),
    },
    { additionalProperties: false, description: `Where and when a ${title} has been in use.` },
  );

/** The schema of the installations of a device of some kind. */
export type InstallationList = ReturnType<typeof installationList>;

/**
 * The schema of a device of the catalogue: its identity, where it has been if that is asked for, and its links.
 * @param title what such a device is called
 * @param links its links beside `self`
 */
export const device = <I extends TObject, C extends TObject, L extends TProperties>(id: I, configuration: C, title: string, links: L) =>
  Type.Object(
    {
      ...(id.properties as I['properties']),
      installations: Type.Optional(
        Type.Array(installation(configuration, title), {
          description: 'Where and when it has been in use, in order of time, by the site logs that hold; with projection=installations.',
        }),
      ),
      _links: Type.Object({ self: Link, ...links }, { additionalProperties: false, description: 'Links of the device.' }),
    },
    {
      additionalProperties: false,
      description: `A ${title} of the catalogue: ${(id.description ?? '').replace(/^Identity of .*?: /, '')}`,
    },
  );

import { type Collection, COLLECTIONS, hasInstallations, installationsSchemaName } from '../../../schemas/index.js';
import { href, installationsPathOf, itemPathOf } from '../../links.js';
import { ProblemError } from '../problems.js';
import { IdParameters, type Resource } from '../resources.js';
import { toResource } from './collections.js';

/** Where a device has been: its installations, in order of time. */
function installationsOf(collection: Collection): Resource {
  const { name, typeName, title, item, equipmentType } = collection;
  return {
    path: installationsPathOf(collection),
    operationId: `list${typeName}Installations`,
    tag: name,
    summary: `Where and when one of the ${title} has been in use, in order of time.`,
    description: 'Installations that overlap at two Sites name each other in conflictsWith.',
    parameters: IdParameters,
    response: installationsSchemaName(typeName),
    problems: ['not-found'],
    example: { parameters: { id: 1 } },
    read: async ({ reader, base, parameters: { id } }) => {
      const device = await reader.devices.findById(id, 'installations');
      if (device === undefined || device.identity.equipmentType !== equipmentType) {
        throw new ProblemError('not-found', `There is no ${item} with the id ${id}.`);
      }
      const { installations } = toResource(base, collection, device) as { installations: object[] };
      return {
        _embedded: { installations },
        _links: {
          self: { href: href(base, installationsPathOf(collection), { id }) },
          [item]: { href: href(base, itemPathOf(collection), { id }) },
        },
      };
    },
  };
}

/** The installations of each kind that has them. */
export const installationResources: Resource[] = COLLECTIONS.filter(
  ({ equipmentType }) => equipmentType !== null && hasInstallations(equipmentType),
).map(installationsOf);

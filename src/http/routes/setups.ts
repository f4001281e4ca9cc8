import type { FastifyInstance } from 'fastify';
import { FindCurrentQuery, type Setup, SetupResource } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import type { SetupReader, SiteReference } from '../../store/store.js';
import { ProblemError } from '../problems.js';
import { addResource, IdParameters } from '../resources.js';

const withLinks = (base: string, setup: Setup): SetupResource => {
  const link = { href: href(base, PATHS.setup, { id: setup.id }) };
  return { ...setup, _links: { self: link, setup: link } };
};

const siteReference = (id: string): SiteReference => ({
  fourCharacterId: id.slice(0, 4).toUpperCase(),
  nineCharacterId: id.length === 9 ? id.toUpperCase() : null,
});

/** The current Setup of a Site, and a Setup by its id. */
export function addSetups(app: FastifyInstance, reader: SetupReader): void {
  addResource(app, {
    path: PATHS.findCurrentSetup,
    query: FindCurrentQuery,
    response: SetupResource,
    read: async (request) => {
      const { id } = request.query as FindCurrentQuery;
      const setup = await reader.findCurrentSetup(siteReference(id));
      if (setup === undefined) throw new ProblemError('unknown-site', `There is no Site with the id ${id.toUpperCase()}.`);
      if (setup === null)
        throw new ProblemError('no-current-setup', `The Site ${id.toUpperCase()} is known, and its site log gives no Setup.`);
      return withLinks(request.baseUrl, setup);
    },
  });
  addResource(app, {
    path: PATHS.setup,
    parameters: IdParameters,
    response: SetupResource,
    read: async (request) => {
      const { id } = request.params as { id: number };
      const setup = await reader.findSetup(id);
      if (setup === undefined) throw new ProblemError('not-found', `There is no Setup with the id ${id}.`);
      return withLinks(request.baseUrl, setup);
    },
  });
}

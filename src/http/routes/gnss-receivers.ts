import type { FastifyInstance } from 'fastify';
import { GnssReceiver, GnssReceiverCollection, GnssReceiversQuery } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import type { SetupReader, StoredReceiver } from '../../store/store.js';
import { pageLinks, pageOf, pageRequest } from '../paging.js';
import { ProblemError } from '../problems.js';
import { addResource, IdParameters } from '../resources.js';

const withLinks = (base: string, { id, ...receiver }: StoredReceiver): GnssReceiver => {
  const self = href(base, PATHS.gnssReceiver, { id });
  return { ...receiver, _links: { self: { href: self }, gnssReceiver: { href: `${self}{?projection}`, templated: true } } };
};

/** The catalogue of receivers, and a receiver by its id. */
export function addGnssReceivers(app: FastifyInstance, reader: SetupReader): void {
  addResource(app, {
    path: PATHS.gnssReceivers,
    query: GnssReceiversQuery,
    response: GnssReceiverCollection,
    read: async (request): Promise<GnssReceiverCollection> => {
      const { type, ...paging } = request.query as GnssReceiversQuery;
      const asked = pageRequest(paging);
      const { elements, totalElements } = await reader.findReceivers({ types: type ?? null, ...asked });
      const page = pageOf(asked, totalElements);
      return {
        _embedded: { gnssReceivers: elements.map((receiver) => withLinks(request.baseUrl, receiver)) },
        _links: pageLinks(request.baseUrl, PATHS.gnssReceivers, PATHS.gnssReceiversProfile, { type }, page),
        page,
      };
    },
  });
  addResource(app, {
    path: PATHS.gnssReceiver,
    parameters: IdParameters,
    response: GnssReceiver,
    read: async (request) => {
      const { id } = request.params as { id: number };
      const receiver = await reader.findReceiver(id);
      if (receiver === undefined) throw new ProblemError('not-found', `There is no GNSS receiver with the id ${id}.`);
      return withLinks(request.baseUrl, receiver);
    },
  });
}

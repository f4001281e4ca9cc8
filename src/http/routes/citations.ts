import type { TObject } from '@sinclair/typebox';
import type { RouteOptions } from 'fastify';
import { Citation } from '../../../schemas/index.js';
import { newestRecordTime, storeFor } from '../../exports/as-of.js';
import { citationOf, citationText, type ServiceNames } from '../../exports/citation.js';
import { TEXT_MEDIA_TYPE } from '../../exports/site-files.js';
import { CITATION, PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { citedRequest } from '../contract/cited-request.js';
import { type App, Content, type Operation } from '../contract/operations.js';
import { prefersText } from '../wire/accept.js';

/** Answers that are cited: files, exports, searches, and the page of a Site. */
const IS_CITED = /^\/(exports|skeletonFiles)\/|\/search\//;
const isCited = ({ url, config }: RouteOptions): boolean =>
  url === PATHS.site || (config?.operationId !== undefined && IS_CITED.test(url));

/** The operation of whose citation the contract has an example. */
const EXAMPLE = 'findSetupAtByFourCharacterId';
const citationOfOperation = (operationId: string): string => `${operationId}Citation`;

/** What the contract says about the citation of an operation; nothing about that of a page. */
const operationOf = ({ operationId, problems = [], example }: Partial<Operation> = {}) =>
  operationId !== undefined &&
  example !== undefined && {
    operationId: citationOfOperation(operationId),
    ...(operationId !== EXAMPLE && { exampleOf: citationOfOperation(EXAMPLE) }),
    tag: 'citations',
    summary: 'What to cite of the answer, and where to have it again.',
    otherMediaTypes: [TEXT_MEDIA_TYPE],
    problems: [...problems, 'not-recorded' as const],
    example,
  };

/**
 * Adds a citation beside each answer that can be had again, with the same parameters. It is refused
 * as the answer is.
 * @param clock the current time
 */
export function addCitations(app: App, store: Store, clock: () => Date, names: ServiceNames): void {
  for (const route of app.recorded.filter(isCited)) {
    const schema = route.schema as { querystring: TObject; params?: TObject };
    app.get(route.url + CITATION, {
      schema: { ...schema, response: { 200: Citation } },
      config: { ...operationOf(route.config) },
      handler: async (request, reply) => {
        const now = clock();
        const asked = await storeFor(store, request.query, now);
        const asOf = await newestRecordTime(asked);
        await route.handler.call(request.server, request, reply);
        const then = await storeFor(store, { ...request.query, asOf }, now);
        const citation = await citationOf(then, asOf, citedRequest(request), names);
        if (!prefersText(request.headers.accept)) return citation;
        return new Content(TEXT_MEDIA_TYPE, citationText(citation));
      },
    });
  }
}

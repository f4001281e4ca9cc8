import * as Type from '@sinclair/typebox';
import { pageAndSize, type Setup, SETUPS, SiteIdParameter } from '../../schemas/index.js';
import { IdParameters, onlyParameters } from '../../src/exports/parameters.js';
import { pageOf } from '../../src/http/contract/hal.js';
import type { App } from '../../src/http/contract/operations.js';
import { pagingOf } from '../../src/http/contract/paging.js';
import type { ProblemKind } from '../../src/http/wire/problems.js';

/**
 * Type tests: `npm run check` compiles this file, nothing runs it. Each `@ts-expect-error` marks a
 * mistake in a route that must not compile.
 */
export function mistakes(app: App, setup: Setup): void {
  const querystring = onlyParameters({ id: SiteIdParameter, at: Type.Optional(Type.String()) });
  const answer = { ...setup, _links: { self: { href: '' }, setup: { href: '' } } };

  app.get('/setups/:id', {
    schema: { querystring, params: IdParameters, response: { 200: SETUPS.element } },
    handler: async ({ query, params }) => {
      const id: string = query.id;
      const number: number = params.id;
      // @ts-expect-error assigned to a type other than that of the schema
      void (query.id as number);
      // @ts-expect-error a misspelt parameter
      void query.Id;
      // @ts-expect-error an optional parameter whose absence is not handled
      void query.at.length;
      // @ts-expect-error a parameter that the path does not have
      void params.name;
      // @ts-expect-error a path parameter used as another type
      void (params as { id: string });
      return {
        ...answer,
        name: `${answer.name}` as const,
        id: number,
        ...(id === '' && { current: true }),
      };
    },
  });

  // @ts-expect-error an answer without a required member
  app.get('/setups', { schema: { response: { 200: SETUPS.element } }, handler: async () => setup });

  // @ts-expect-error a member of another type
  app.get('/setups', {
    schema: { response: { 200: SETUPS.element } },
    handler: async () => ({ ...answer, id: '1' }),
  });

  // @ts-expect-error the name of a schema instead of the schema
  app.get('/setups', { schema: { response: { 200: 'Stup' } }, handler: async () => answer });

  // @ts-expect-error a misspelt schema
  app.get('/setups', { schema: { response: { 200: SETUPS.elment } }, handler: async () => answer });

  const found = { elements: [], totalElements: 0 };
  app.get('/changes', {
    schema: { querystring: onlyParameters(pageAndSize) },
    handler: async (request) => {
      const paging = pagingOf(request);
      pageOf('', '', request.query, { paging, found }, '');
      // @ts-expect-error a page that is not the one that the request asks for
      pageOf('', '', request.query, { paging: { page: 0, size: 20 }, found }, '');
      // @ts-expect-error the query, in which the size has no maximum
      pageOf('', '', request.query, { paging: request.query, found }, '');
      // @ts-expect-error a query without the schema of its route
      pagingOf(request.query);
    },
  });

  app.get('/findings', {
    schema: { querystring: onlyParameters({ id: SiteIdParameter }) },
    // @ts-expect-error the page of a request that has no parameters of pages
    handler: async (request) => void pagingOf(request),
  });

  // @ts-expect-error a misspelt kind of problem
  const problems: ProblemKind[] = ['unknown-sit'];
  void problems;
}

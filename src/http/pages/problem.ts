import type { FastifyRequest } from 'fastify';
import { CORS_SITES, isSiteId, type Problem, SETUPS } from '../../../schemas/index.js';
import { href, pathOf, searchPathOf } from '../../links.js';
import type { Store } from '../../store/store.js';
import type { JsonLink } from '../../web/page/layout.js';
import { problemType } from '../wire/problems.js';
import { nearestSites } from './nearest.js';

/**
 * Renders a problem as a page, with a link to related JSON. If it is an unknown Site, the page
 * names similar ones.
 */
export async function problemPage(
  store: Store,
  request: FastifyRequest,
  problem: Problem,
): Promise<string> {
  const path = request.url.split('?')[0]!;
  const root = Array.from({ length: path.split('/').length - 2 }, () => '..').join('/') || '.';
  const { site } = (request.params ?? {}) as { site?: string };
  const { at } = (request.query ?? {}) as { at?: string | string[] };
  const isUnknown = problem.type === problemType('unknown-site') && site !== undefined;
  const similar = isUnknown
    ? (await nearestSites(store, site)).map(({ shortestId }) => shortestId)
    : [];
  const instant = typeof at === 'string' ? at : undefined;
  const json =
    site !== undefined && isSiteId(site)
      ? setupLink(root, site, instant)
      : { title: 'The Sites', href: href(root, pathOf(CORS_SITES)) };
  const candidates = problem.candidates?.map(({ nineCharacterId }) => nineCharacterId) ?? [];
  const told = candidates.length === 0 ? [] : await store.sites.findTold(candidates);
  const { renderErrorPage } = await import('../../web/error-page.js');
  const { renderPage } = await import('../../web/page/layout.js');
  const page = renderErrorPage(root, problem, [json], similar, told);
  return renderPage(page, request.server.network);
}

/** The link to the Setup of a Site as JSON. @param at left out for the current Setup */
function setupLink(root: string, site: string, at: string | undefined): JsonLink {
  const search = at === undefined ? 'findCurrentByFourCharacterId' : 'findAtByFourCharacterId';
  return {
    title: `The Setup of ${site.toUpperCase()}`,
    href: href(root, searchPathOf(SETUPS, search), { query: { id: site, at } }),
  };
}

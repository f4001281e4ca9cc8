import type { Instant } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { type App, Content, pageContent } from '../contract/operations.js';
import { ProblemError } from '../wire/problems.js';
import { NetworkFigures } from './network-figures.js';

/**
 * Adds the overview with its map, and the page of the network over time.
 * @param now the current time, as the pages show it
 */
export function addNetwork(app: App, store: Store, now: () => Instant): void {
  const figures = new NetworkFigures(store);
  app.get(PATHS.overview, {
    config: { page: true, costly: true },
    handler: async (_request, reply) => {
      const overview = await figures.readOverview(now());
      const { renderOverviewPage } = await import('../../web/overview/page.js');
      return pageContent(app, renderOverviewPage(overview, reply.server.network));
    },
  });
  app.get(PATHS.map, {
    config: { costly: true },
    handler: async () => {
      const { map } = await figures.readOverview(now());
      if (map === null) throw new ProblemError('not-found', 'No Site has a position.');
      return new Content('image/svg+xml;charset=UTF-8', map.image);
    },
  });
  app.get(PATHS.network, {
    config: { page: true, costly: true },
    handler: async () => {
      const state = await figures.read(now());
      const { renderNetworkPage } = await import('../../web/network-page.js');
      return pageContent(app, renderNetworkPage({ ...state, now: now() }));
    },
  });
}

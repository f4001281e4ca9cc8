import type { Instant } from '../../../schemas/index.js';
import { PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { renderNetworkPage } from '../../web/network-page.js';
import { type App, sendPage } from '../contract/operations.js';
import { NetworkFigures } from './network-figures.js';

/** Adds the page of the network. @param now the current time, as the page shows it */
export function addNetwork(app: App, store: Store, now: () => Instant): void {
  const network = new NetworkFigures(store);
  app.get(PATHS.network, {
    config: { page: true, costly: true },
    handler: async (_request, reply) => {
      const figures = await network.read();
      return sendPage(reply, renderNetworkPage({ ...figures, now: now() }));
    },
  });
}

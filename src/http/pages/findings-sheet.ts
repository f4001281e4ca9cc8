import { href, PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { recordOf, SitePathParameters } from '../contract/known-site.js';
import { type App, pageContent } from '../contract/operations.js';

/**
 * Adds the sheet of findings for the operator of a Site.
 * @param publishContacts whether pages show files as they were imported
 */
export function addFindingsSheet(app: App, store: Store, publishContacts: boolean): void {
  app.get(PATHS.siteFindings, {
    schema: { params: SitePathParameters },
    config: { page: true },
    handler: async ({ params: { site } }) => {
      const { renderFindingsSheet, ROOT } = await import('../../web/findings-sheet.js');
      const { sectionsOf } = await import('../site-logs/written.js');
      const { valueLines } = await import('../../site-log/text/value-lines.js');
      const sheetHref = (other: string) => href(ROOT, PATHS.siteFindings, { site: other });
      const record = await recordOf(store, site, sheetHref);
      const { siteLog } = record;
      const lines =
        siteLog === null
          ? new Map()
          : valueLines(await sectionsOf(store, siteLog, publishContacts));
      const devices = await store.devices.findInConflictAt(record.site.id);
      const same = await store.findings.sameStations(record.site.id);
      const shared = await store.sites.findSharedFours();
      const view = { record, lines, devices, same, shared, isFileShown: publishContacts };
      return pageContent(app, renderFindingsSheet(view));
    },
  });
}

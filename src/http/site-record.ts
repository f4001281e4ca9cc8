import { Type } from '@sinclair/typebox';
import { isSiteId } from '../../schemas/index.js';
import { href, PATHS } from '../links.js';
import { parseSiteId } from '../requests/site-id.js';
import type { SiteRecord } from '../store/read/sites.js';
import type { Store } from '../store/store.js';
import { ofKnownSite } from './known-site.js';
import { only } from './parameters.js';

/** The parameters of the path of a page about one Site. */
export const SitePathParameters = only({ site: Type.String({ maxLength: 200, description: 'The id of the Site.' }) });

/** What is on record about the Site in the path of a page. @throws {ProblemError} if there is no such Site */
export const siteRecord = async (store: Store, site: string): Promise<SiteRecord> =>
  ofKnownSite(isSiteId(site) ? await store.sites.findRecord(parseSiteId(site)) : { kind: 'unknown-site' }, site, (other) =>
    href('..', PATHS.site, { site: other }),
  );

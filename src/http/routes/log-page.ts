import { Type } from '@sinclair/typebox';
import { PATHS } from '../../links.js';
import { decode } from '../../site-log/decode.js';
import type { Store } from '../../store/store.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { renderLogPage, ROOT } from '../../web/log-page.js';
import { type App, sendText } from '../operations.js';
import { only } from '../parameters.js';
import { leftOutOf } from '../site-log-forms.js';
import { siteLogLinks } from '../site-log-resource.js';
import { publishedOriginal, readPublished, withheldPersons } from '../site-log-sections.js';
import { siteRecord, SitePathParameters } from '../site-record.js';

const LogQuery = only({
  line: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'A line of the log that the page shows.' })),
});

/** Adds the page of the current log of a Site. @param publishContacts false withholds personal data */
export function addLogPage(app: App, store: Store, publishContacts: boolean): void {
  app.get(
    PATHS.siteLog,
    { schema: { params: SitePathParameters, querystring: LogQuery }, config: { page: true, mediaType: HTML_MEDIA_TYPE } },
    async ({ params: { site }, query: { line = 1 } }, reply) => {
      const record = await siteRecord(store, site);
      const { siteLog } = record;
      const { siteId } = siteLog;
      const withheld = await withheldPersons(store, publishContacts);
      const original = publishedOriginal(siteLog, withheld);
      const logs = (await store.logs.findKept(siteId)).map((log) => ({ ...log, links: siteLogLinks(ROOT, { id: log.id, siteId }) }));
      const page = {
        record,
        text: decode(original),
        isWithheld: Buffer.compare(original, siteLog.original) !== 0,
        links: siteLogLinks(ROOT, siteLog),
        leftOut: leftOutOf(readPublished(siteLog, withheld)),
      };
      return sendText(reply, HTML_MEDIA_TYPE, renderLogPage({ ...page, logs, line }));
    },
  );
}

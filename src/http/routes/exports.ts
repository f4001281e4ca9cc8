import { EXPORTED, EXPORTS, type ExportName } from '../../../schemas/index.js';
import { oneOf, onlyParameters } from '../../exports/parameters.js';
import { EXPORT_QUERIES, exportTable } from '../../exports/tables.js';
import { TABLE_FORMATS, TABLE_WRITERS } from '../../formats/tables.js';
import { exportPathOf } from '../../links.js';
import type { Store } from '../../store/store.js';
import { type App, Content, isWantedBy } from '../contract/operations.js';

/** What is exported, and what its parameters mean. */
const ABOUT: Record<ExportName, [what: string, description: string]> = {
  sites: ['The Sites', 'at: only Sites that had a Setup then.'],
  setups: [
    'The Setups',
    'Superseded Setups are included, unless excluded by invalidated=false or by a time. ' +
      'at: only the Setups in effect then; from and to: at some time in the period.',
  ],
  installations: [
    'Where and when each device has been in use',
    'at: only what was in use then; from and to: at some time in the period. ' +
      'An instrument whose start is unknown counts as in use at any time before its end.',
  ],
  changes: ['The equipment changes', 'Filters are those of /changes.'],
  feed: [
    'The entries of the feed, a row for each change',
    'Entries without changes have one row. Filters are those of /feed; those that select ' +
      'changes select whole entries.',
  ],
  findings: ['The findings in the current site logs', 'Filters are those of /findings.'],
};

const ORDER =
  'Elements come in the order of their ids, as they are read. ' +
  'What was on record when the export began comes once, unless it is superseded meanwhile; ' +
  'what is recorded meanwhile may come too. ' +
  'The NDJSON schema describes one line.';

const FormatParameters = onlyParameters({ format: oneOf(TABLE_FORMATS, 'The format') });

/** Adds the exports: each kind of element, in any format. @param clock the current time */
export function addExports(app: App, store: Store, clock: () => Date): void {
  for (const name of EXPORTS) {
    const [what, description] = ABOUT[name];
    const [mediaType, ...otherMediaTypes] = TABLE_FORMATS.map(
      (format) => TABLE_WRITERS[format].mediaType,
    );
    app.get(exportPathOf(name), {
      schema: { params: FormatParameters, querystring: EXPORT_QUERIES[name] },
      config: {
        mediaType: mediaType!,
        operationId: `export${name[0]!.toUpperCase()}${name.slice(1)}`,
        summary:
          `${what}, all at once: as ` +
          `${TABLE_FORMATS.map((format) => TABLE_WRITERS[format].title).join(', as ')}.`,
        description: `${description} ${ORDER}`,
        otherMediaTypes,
        ...('asOf' in EXPORT_QUERIES[name].properties && { problems: ['not-recorded' as const] }),
        line: EXPORTED[name],
        example: { parameters: { format: 'csv' }, query: { bbox: '110,-45,155,-10' } },
      },
      handler: async (request) => {
        const { format } = request.params;
        const isWanted = isWantedBy(request);
        const pieces = await exportTable(store, { name, format }, request.query, clock(), isWanted);
        return new Content(TABLE_WRITERS[format].mediaType, pieces);
      },
    });
  }
}

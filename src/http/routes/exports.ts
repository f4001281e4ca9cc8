import { EXPORTS, type ExportName } from '../../../schemas/index.js';
import { TABLE_FORMATS, TABLE_WRITERS } from '../../formats/tables.js';
import { exportPathOf } from '../../links.js';
import type { Store } from '../../store/store.js';
import { EXPORT_QUERIES, exportTable } from '../exports.js';
import { type App, sendPieces } from '../operations.js';

const WHAT: Record<ExportName, string> = {
  sites: 'The Sites',
  setups: 'The Setups',
  installations: 'Where and when each device has been in use',
  changes: 'The equipment changes',
};

const DESCRIPTIONS: Record<ExportName, string> = {
  sites: 'at: only Sites that had a Setup then.',
  setups: 'Superseded Setups are included, unless at or invalidated=false leaves them out. at: only the Setups in effect then.',
  installations:
    'at: only what was in use then; from and to: at some time in the period. An instrument whose start is unknown counts as in use at any time before its end. id: only at these Sites.',
  changes: 'Filters are those of /changes.',
};

const ORDER =
  'Elements come in the order of their ids, as they are read. Each element that was on record when the export began comes once, unless it is superseded meanwhile; what is recorded meanwhile may come too.';

/** Adds the exports: each kind of element in each format. */
export function addExports(app: App, store: Store): void {
  for (const name of EXPORTS) {
    for (const format of TABLE_FORMATS) {
      const { mediaType, title } = TABLE_WRITERS[format];
      const suffix = { csv: 'Csv', ndjson: 'Ndjson', geojson: 'GeoJson' }[format];
      app.get(
        exportPathOf(name, format),
        {
          schema: { querystring: EXPORT_QUERIES[name] },
          config: {
            mediaType,
            operation: {
              operationId: `export${name[0]!.toUpperCase()}${name.slice(1)}As${suffix}`,
              tag: 'exports',
              summary: `${WHAT[name]}, all at once, as ${title}.`,
              description: `${DESCRIPTIONS[name]} ${ORDER}`,
              example: { query: { bbox: '110,-45,155,-10' } },
            },
          },
        },
        async ({ query, baseUrl }, reply) => sendPieces(reply, mediaType, await exportTable(store, baseUrl, { name, format }, query)),
      );
    }
  }
}

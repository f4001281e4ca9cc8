import type { Column } from './columns.js';
import { CSV_MEDIA_TYPE, csvHeader, csvRecord } from './csv.js';
import { featureText, GEOJSON_MEDIA_TYPE } from './geojson.js';

/** The formats of tables. */
export const TABLE_FORMATS = ['csv', 'ndjson', 'geojson'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The media type of JSON, one value a line. */
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

/** How a table is written: what comes first, each element, and what comes last. */
interface TableWriter {
  mediaType: string;
  title: string;
  begin: <T>(columns: readonly Column<T>[]) => string;
  /** @param isFirst whether no other element comes before */
  element: <T extends { id: number }>(
    columns: readonly Column<T>[],
    element: T,
    isFirst: boolean,
  ) => string;
  end: string;
}

/** The writer of each format. Pure. */
export const TABLE_WRITERS: Record<TableFormat, TableWriter> = {
  csv: {
    mediaType: CSV_MEDIA_TYPE,
    title: 'CSV (RFC 4180)',
    begin: csvHeader,
    element: csvRecord,
    end: '',
  },
  ndjson: {
    mediaType: NDJSON_MEDIA_TYPE,
    title: 'JSON, one object a line',
    begin: () => '',
    element: (_columns, element) => `${JSON.stringify(element)}\n`,
    end: '',
  },
  geojson: {
    mediaType: GEOJSON_MEDIA_TYPE,
    title: 'GeoJSON (RFC 7946)',
    begin: () => '{"type":"FeatureCollection","features":[\n',
    element: (columns, element, isFirst) =>
      `${isFirst ? '' : ',\n'}${featureText(columns, element)}`,
    end: '\n]}\n',
  },
};

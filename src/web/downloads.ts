import { exportPathOf, href, PATHS, type QueryValues } from '../links.js';
import type { ExportName, Instant } from '../../schemas/index.js';
import { type Html, html, joined } from './page/html.js';

/** The formats of the links, with their names. */
const FORMATS = [
  ['csv', 'CSV'],
  ['geojson', 'GeoJSON'],
] as const;

const links = (words: string, files: string[][]): Html =>
  html`<p class="downloads">
    ${words}:
    ${joined(
      files.map(([url, label]) => html`<a href="${url}" rel="nofollow">${label}</a>`),
      ' ',
    )}
  </p>`;

/** The links below a table that download its rows. @param what the rows, in words */
export const renderDownloads = (
  root: string,
  name: ExportName,
  query: QueryValues,
  what: string,
): Html =>
  links(
    `Download ${what}`,
    FORMATS.map(([format, label]) => [href(root, exportPathOf(name, format), { query }), label]),
  );

/**
 * The links to the files of some Sites for geodetic software.
 * @param sites the query that finds them, also as they were on record at a time
 * @param which they are, in words
 * @param at the instant; undefined for all times
 */
export function renderSoftwareDownloads(
  root: string,
  sites: QueryValues,
  which: string,
  at: Instant | undefined,
): Html {
  const query = { ...sites, at };
  const header = {
    query: { at, version: '3.05', asOf: sites.asOf },
    file: `${String(sites.site)}.SKL`,
  };
  const offsets = `offsets${at === undefined ? '' : ', all times'}`;
  return links(`For software, ${which}`, [
    [href(root, PATHS.sinexExport, { query }), 'SINEX'],
    [href(root, PATHS.stationInfoExport, { query }), 'station.info (GAMIT)'],
    [href(root, PATHS.staExport, { query }), 'STA (Bernese)'],
    [href(root, PATHS.staNotes, { query }), 'notes on STA'],
    ...(typeof sites.site === 'string'
      ? [[href(root, PATHS.skeletonFile, header), 'RINEX header']]
      : [
          [href(root, PATHS.rinexExport, { query }), 'RINEX headers'],
          [href(root, PATHS.rinexNotes, { query }), 'notes on RINEX headers'],
        ]),
    ...['csv', 'snx'].map((format) => [
      href(root, PATHS.offsetsExport, { format, query: sites }),
      `${offsets} (${format})`,
    ]),
    [href(root, PATHS.offsetsNotes, { query: sites }), 'notes on offsets (csv)'],
  ]);
}

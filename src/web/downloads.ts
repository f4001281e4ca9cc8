import { exportPathOf, href, PATHS, type QueryValues } from '../links.js';
import type { ExportName } from '../../schemas/index.js';
import { type Html, html, joined } from './html.js';

/** The formats of the links, with their names. */
const FORMATS = [
  ['csv', 'CSV'],
  ['geojson', 'GeoJSON'],
] as const;

/** The links below a table that download its rows. @param what the rows, in words */
export const renderDownloads = (root: string, name: ExportName, query: QueryValues, what: string): Html =>
  html`<p class="downloads">
    Download ${what}:
    ${joined(
      FORMATS.map(([format, label]) => html`<a href="${href(root, exportPathOf(name, format), { query })}" rel="nofollow">${label}</a>`),
      ' ',
    )}
  </p>`;

const SOFTWARE = [
  [PATHS.sinexExport, 'SINEX'],
  [PATHS.stationInfoExport, 'station.info (GAMIT)'],
  [PATHS.staExport, 'STA (Bernese)'],
  [PATHS.rinexExport, 'RINEX headers'],
] as const;

/** The links to the files of some Sites for geodetic software. @param which the Sites, in words */
export const renderSoftwareDownloads = (root: string, query: QueryValues, which: string): Html =>
  html`<p class="downloads">
    For software, ${which}:
    ${joined(
      [
        ...SOFTWARE.map(([path, label]) => html`<a href="${href(root, path, { query })}" rel="nofollow">${label}</a>`),
        html`<a href="${href(root, PATHS.offsetsExport, { format: 'csv', query })}" rel="nofollow">offsets</a>`,
      ],
      ' ',
    )}
  </p>`;

import { exportPathOf, href, type QueryValues } from '../links.js';
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

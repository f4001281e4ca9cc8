import { EXPORTS, type ExportName } from '../../schemas/index.js';
import { type CitedRequest, citationOf, citationText } from '../exports/citation.js';
import {
  DEFAULT_RINEX_VERSION,
  headerParameters,
  SITE_FILES,
  type SiteFileName,
} from '../exports/site-files.js';
import type { TableFormat } from '../formats/tables.js';
import { exportPathOf, href, PATHS, type QueryValues } from '../links.js';
import { type Store, storeAsOf } from '../store/store.js';
import { thisBuild } from './line/package-files.js';

/** What to cite of an export of the command line. */

/** The name of the RINEX header of one Site. */
export const HEADER = 'rinex';

/** Whether a text is one of some values. */
export const isOneOf = <T extends string>(values: readonly T[], text: unknown): text is T =>
  (values as readonly unknown[]).includes(text);

/** The names of the files for software. */
export const FILES = Object.keys(SITE_FILES) as SiteFileName[];

/** What is exported. */
export interface Export {
  name: string;
  format: TableFormat;
  query: QueryValues;
}

/** The request for the RINEX header of one Site; null if the query selects Sites otherwise. */
function headerRequest({ site, ...query }: QueryValues): Omit<CitedRequest, 'base'> | null {
  const { at, asOf, version = DEFAULT_RINEX_VERSION, ...header } = query;
  const [id, ...others] = [site ?? []].flat();
  const isOfHeader = Object.keys(header).every((each) => each in headerParameters);
  if (id === undefined || others.length > 0 || !isOfHeader) return null;
  return {
    path: PATHS.skeletonFile,
    parameters: { file: `${id}.skl` },
    query: { ...header, at, version, asOf },
  };
}

/** The request for what is exported; null if there is none. */
export function requestFor({ name, format, query }: Export, base: string): CitedRequest | null {
  if (name === HEADER) {
    const request = headerRequest(query);
    return request && { base, ...request };
  }
  const request = { base, parameters: {}, query };
  if (isOneOf<ExportName>(EXPORTS, name)) return { ...request, path: exportPathOf(name, format) };
  const path = isOneOf(FILES, name) ? SITE_FILES[name].path : PATHS.rinexExport;
  return { ...request, path };
}

/** The parameters of a request as an argument of a command. */
const queryArgument = (query: QueryValues): string =>
  `--query '${href('', '', { query }).slice(1).replaceAll("'", '%27')}'`;

/** The citation of an export, with the commands for it, and the URLs if these are known. */
export async function textOfCitation(
  store: Store,
  exported: Export & { asOf: string },
  { baseUrl, networkName }: { baseUrl: string | null; networkName: string | null },
): Promise<string> {
  const { name, format, query, asOf } = exported;
  const request = requestFor(exported, baseUrl ?? '');
  const cited = request ?? { base: '', path: PATHS.rinexExport, parameters: {}, query };
  const names = { version: thisBuild().version, network: networkName };
  const citation = await citationOf(storeAsOf(store, asOf), asOf, cited, names);
  const { changes } = citation._links;
  const since = Object.fromEntries(new URL(changes.href, 'http://localhost').searchParams);
  const what = format === 'csv' ? name : `${name} --format ${format}`;
  const hasUrl = baseUrl !== null && request !== null;
  return citationText(citation, {
    again: [
      `gnss-site-setups export ${what} ${queryArgument({ ...query, asOf })}`,
      ...(hasUrl ? [citation.url] : []),
    ],
    changes: [
      `gnss-site-setups export changes ${queryArgument(since)}`,
      ...(hasUrl ? [changes.href] : []),
    ],
  });
}

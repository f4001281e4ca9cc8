import { exportPathOf, href, PATHS } from '../../links.js';
import { TABLE_FORMATS } from '../../formats/tables.js';
import { EXPORTS, type ExportName } from '../../../schemas/index.js';

/** Finds the export that was probably meant by a path that does not exist. */

/** The names of files for geodetic software, as people guess them, and their paths. */
const FILES: readonly (readonly [name: RegExp, path: string])[] = [
  [/(offset|discontinuit).*\.snx$/, href('', PATHS.offsetsExport, { format: 'snx' })],
  [/offset|discontinuit/, href('', PATHS.offsetsExport, { format: 'csv' })],
  [/station[._-]?info|gamit/, PATHS.stationInfoExport],
  [/\.snx$|sinex|^snx$/, PATHS.sinexExport],
  [/\.sta$|bernese|^sta$/, PATHS.staExport],
  [/rinex|\.zip$|\.skl$/, PATHS.rinexExport],
];

/** The names of tables, as people guess them. */
const TABLES: readonly (readonly [name: RegExp, table: ExportName])[] = [
  [/installation|equipment|device|receiver|antenna/, 'installations'],
  [/setup/, 'setups'],
  [/change/, 'changes'],
  [/finding|problem|error/, 'findings'],
  [/feed|event/, 'feed'],
  [/site|station/, 'sites'],
];

/** The folder of the exports. */
const FOLDER = '/exports';

/** All exports, each table in its first format. */
const ALL = [
  ...EXPORTS.map((name) => exportPathOf(name, TABLE_FORMATS[0])),
  PATHS.sinexExport,
  PATHS.stationInfoExport,
  PATHS.staExport,
  PATHS.rinexExport,
  href('', PATHS.offsetsExport, { format: 'csv' }),
];

/** The path of the file for geodetic software that a name in lower case stands for. */
function fileOf(name: string): string | undefined {
  const [, path] = FILES.find(([words]) => words.test(name)) ?? [];
  return path;
}

/** The hint for a format that an export does not have; null if no other export has it. */
export function likelyFile(format: string): string | null {
  const path = fileOf(`.${format.toLowerCase()}`);
  return path === undefined ? null : `Did you mean ${path}?`;
}

/** The table that a name in lower case stands for, in the format that it ends with. */
function tableOf(name: string): string | undefined {
  const [, table] = TABLES.find(([words]) => words.test(name)) ?? [];
  const format = TABLE_FORMATS.find((each) => name.endsWith(`.${each}`));
  return table && exportPathOf(table, format ?? TABLE_FORMATS[0]);
}

/**
 * The hint for a path that does not exist: the export that was probably meant, or all exports; null
 * if the path does not look like an export.
 */
export function likelyExport(path: string): string | null {
  const [, folder, name] = /^(\/exports)?\/?([^/]*)$/.exec(path.toLowerCase()) ?? [];
  if (name === undefined) return null;
  const isTable = folder === FOLDER || name === 'installations' || /\.(csv|ndjson)$/.test(name);
  const meant = fileOf(name) ?? (isTable ? tableOf(name) : undefined);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return folder === FOLDER ? `The exports are ${ALL.join(', ')}.` : null;
}

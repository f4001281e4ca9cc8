import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { SHARED } from '../project-files.js';

/** Checks GeodesyML with xmllint and the published schemas. */

/** The published schemas, with their catalog. */
export const SCHEMAS = join(SHARED, '..', 'geodesyml-schemas');
const VERSIONS: Record<string, string> = {
  '.geodesyml04': '0.4',
  '.geodesyml05': '0.5',
  '.geodesyml06': '0.6',
};

/** Why nothing can be checked; false if it can. */
export const VALIDATOR: string | false = !existsSync(SCHEMAS)
  ? 'no schemas beside the project (../shared/geodesyml-schemas)'
  : spawnSync('xmllint', ['--version']).error !== undefined && 'no xmllint';

/**
 * What xmllint has to say about files, whose version is the end of their names; at most ten lines.
 */
export function violationsOf(files: string[]): string[] {
  return Object.entries(VERSIONS).flatMap(([extension, version]) => {
    const ours = files.filter((file) => extname(file) === extension);
    if (ours.length === 0) return [];
    const schema = join('geodesyml', version, 'geodesyML.xsd');
    const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...ours], {
      cwd: SCHEMAS,
      env: { ...process.env, XML_CATALOG_FILES: 'catalog.xml' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const lines = stderr.split('\n').filter((line) => line !== '');
    const complaints = lines.filter((line) => !line.endsWith(' validates'));
    const missing =
      lines.length - complaints.length === ours.length
        ? []
        : [`only ${lines.length - complaints.length} of ${ours.length} are valid`];
    return [...complaints.slice(0, 10), ...missing];
  });
}

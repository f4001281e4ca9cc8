import { error } from '../finding.js';
import { type FarPlaces, twoPlaces } from './places.js';

/** Why a file is rejected. */

/** What there is too much of. */
type TooMuch = 'bytes' | 'lines' | 'items' | 'equipment' | 'contacts' | 'characters of Setups';

const inNamespace = (namespace: string): string =>
  namespace === '' ? 'in no namespace' : `of the namespace ${namespace}`;

export const REJECTIONS = {
  'not-a-site-log': error<{
    /** The root element; its namespace is empty if it has none. */
    root?: { name: string; namespace: string };
    isNoFile?: true;
  }>(
    'Not a site log',
    'The file is not a site log in a form that can be read.',
    'Leave the file out, or replace it with the site log.',
    ({ root, isNoFile }) => {
      if (isNoFile === true) return 'not a regular file';
      if (root === undefined)
        return 'not a site log; expected the IGS text format, GeodesyML or the XML of SOPAC';
      return (
        `XML without a GeodesyML siteLog element; the root element is ${root.name}, ` +
        `${inNamespace(root.namespace)}`
      );
    },
  ),
  'unsupported-version': error<{ namespace: string; expected: readonly string[] }>(
    'Version not supported',
    'The file is of a version of GeodesyML that cannot be read.',
    'Write the log in a version that can be read.',
    ({ namespace, expected }) =>
      `unsupported GeodesyML version: siteLog is ${inNamespace(namespace)}; expected the ` +
      `namespace ${expected.join(' or ')}`,
  ),
  'malformed-xml': error<{ problem: string } | { isDoctype: true } | { deepest: number }>(
    'Malformed XML',
    'The file is not well-formed XML, or has what no site log needs.',
    'Correct the XML where the line says.',
    (values) => {
      if ('isDoctype' in values) return 'a DOCTYPE is not allowed';
      if ('deepest' in values) return `elements nested more than ${values.deepest} levels deep`;
      return `not well-formed XML: ${values.problem}`;
    },
  ),
  'no-site-id': error<{
    label: string;
    expected: string | null;
    /** Where nine characters belong that are in a field of four. */
    nineIn?: 'title' | 'gml:id' | null;
  }>(
    'Site unknown',
    'The log does not say which station it is about.',
    ({ expected, nineIn }) => {
      if (expected === null) return 'Write the id of the station in section 1.';
      if (nineIn == null) return `Write ${expected}.`;
      const place = nineIn === 'title' ? 'at the beginning of the title line' : 'as gml:id';
      return `Write only the first four characters here, and all nine ${place}.`;
    },
    ({ label, expected }) => {
      const why = expected === null ? 'missing or blank' : `not ${expected}`;
      return `${label}: ${why}; cannot identify the site`;
    },
  ),
  'two-site-logs': error<{
    /** What each log begins with: `title`, or the label of the id. */
    beginnings: readonly [first: string, second: string];
    lines: readonly [first: number, second: number];
  }>(
    'Two site logs',
    'The file has two titles, or ids of two stations.',
    'Put each site log into a file of its own.',
    ({ beginnings, lines }) =>
      `two site logs in one file: ${beginnings[0]} in line ${lines[0]}, and ${beginnings[1]} in ` +
      `line ${lines[1]}`,
  ),
  'too-large': error<{ of: TooMuch; count: number | null; most: number }>(
    'Too large',
    'The file is larger than any real site log, or has more of something.',
    'Remove what does not belong to the site log.',
    ({ of, count, most }) => {
      if (of === 'bytes') return `${count} bytes; expected a site log of at most ${most}`;
      if (of === 'lines') return `${count} lines; expected at most ${most}`;
      if (of === 'contacts')
        return `${count} names and numbers of contacts; expected at most ${most}`;
      if (of === 'characters of Setups')
        return `the Setups of the log would have more than ${most} characters`;
      return `more than ${most} ${of === 'items' ? 'items' : 'equipment blocks'} in one log`;
    },
  ),
  'ambiguous-id': error<{ candidates: readonly string[]; needsNine: boolean }>(
    'Id of several Sites',
    'Several Sites have or had the id of the log, so it is not known which one is meant.',
    'Write all nine characters of the id into the log.',
    ({ candidates, needsNine }) =>
      `several Sites have or had this id: ${candidates.join(' or ')}` +
      (needsNine ? '; the log must give nine characters' : ''),
  ),
  'another-station': error<FarPlaces>(
    'Another station',
    'The log gives four characters, and is far from the Site on record that has these.',
    'Do one of the three, and the next import reads the file again.',
    (values) =>
      `another station than ${values.site}: ${twoPlaces(values)}; write nine characters into ` +
      `the log, or give the Site on record its own id (site rename ${values.site}), or withdraw ` +
      `its log if that is wrong (log withdraw ${values.site})`,
  ),
  'copied-form': error<{ id: string }>(
    'Copied form',
    'The title and the file name agree on one id, and section 1 gives another one.',
    'Write the id of the station into section 1, or correct the title and the file name.',
    ({ id }) => `the title and the file name have one id, and section 1 has another, ${id}`,
  ),
  'cannot-be-read': error<{ reason: string }>(
    'File not readable',
    'The file could not be read.',
    'Make the file readable for the user that runs the command, and try again.',
    ({ reason }) => `cannot be read: ${reason}`,
  ),
  'cannot-be-saved': error<{ reason: string }>(
    'Not saved',
    'The database did not accept the log.',
    'Report this, with the log: no log should cause it.',
    ({ reason }) => `cannot be saved: ${reason}`,
  ),
} as const;

import { append, at, type Node, node } from './xml-nodes.js';

/**
 * `metadata` of GeodesyML 0.6: a record of ISO 19139. What it requires and the log does not say is
 * marked as unknown.
 */

const CHARACTERS = 'gco:CharacterString';
const UNKNOWN = { 'gco:nilReason': 'unknown' };

/** @param license, doi null: unknown */
export function metadataOf(license: string | null, doi: string | null): Node {
  const metadata = node('metadata');
  const record = append(metadata, node('gmd:MD_Metadata'));
  append(record, node('gmd:contact', UNKNOWN));
  append(record, node('gmd:dateStamp', UNKNOWN));
  const data = at(record, 'gmd:identificationInfo/gmd:MD_DataIdentification');
  const citation = at(data, 'gmd:citation/gmd:CI_Citation');
  if (doi === null) append(citation, node('gmd:title', UNKNOWN));
  else at(citation, `gmd:title/${CHARACTERS}`).text = `doi:${doi}`;
  append(citation, node('gmd:date', UNKNOWN));
  append(data, node('gmd:abstract', UNKNOWN));
  if (license !== null) {
    const constraints = at(data, 'gmd:resourceConstraints/gmd:MD_LegalConstraints');
    for (const line of license.split('\n'))
      at(constraints, `gmd:otherConstraints[*]/${CHARACTERS}`).text = line;
  }
  append(data, node('gmd:language', UNKNOWN));
  return metadata;
}

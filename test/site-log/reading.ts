import type { Test } from 'tap';
import { readSections } from '../../src/site-log/read-sections.js';
import { readWholeLog } from '../../src/site-log/read.js';
import { recordOf } from '../../src/site-log/record.js';
import { type SiteIdentification, type SiteLog } from '../../src/site-log/site-log.js';
import { type Finding, Findings, SiteLogRejected } from '../../src/findings/findings.js';
import { factsIn } from '../facts.js';

/**
 * What is read from a file. If it is rejected, the log is null, and the last finding is the reason.
 */
export interface Attempt {
  log: SiteLog | null;
  findings: Finding[];
  /** Whether it is a site log at all. */
  recognised: boolean;
}

/** Reads a file as an import does. */
export function attempt(
  content: string | Uint8Array,
  name = 'test.log',
  read = (bytes: Uint8Array, findings: Findings): SiteLog => readWholeLog(bytes, findings).log,
): Attempt {
  const findings = new Findings(name);
  try {
    const log = read(typeof content === 'string' ? Buffer.from(content) : content, findings);
    return { log, findings: findings.list, recognised: true };
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    return { log: null, findings: error.findings, recognised: error.recognised };
  }
}

/**
 * Reads a file without withholding its contacts, so that findings quote it even if it is rejected.
 */
export const attemptWithContacts = (content: string, name?: string): Attempt =>
  attempt(content, name, (bytes, findings) => recordOf(readSections(bytes, findings), findings));

/** What is known of findings, without words. */
export const shown = (findings: Finding[]): string[] => findings.map(factsIn);

/** Asserts the number of items and the expected members of each, and the findings. */
export function matchLog(
  t: Test,
  { log, findings }: Attempt,
  items: object[],
  expected: string[] = [],
  message = 'items',
): void {
  t.equal(log?.items.length, items.length, message);
  t.hasStrict(log?.items, items, message);
  t.strictSame(shown(findings), expected, message);
}

/** What is read of a Site whose log has only its four-character id. */
export const UNKNOWN_SITE: SiteIdentification = {
  ...{
    fourCharacterId: 'TEST',
    nineCharacterId: null,
    name: null,
    domesNumber: null,
    dateInstalled: null,
    notes: null,
  },
  ...{
    monumentDescription: null,
    monumentFoundation: null,
    monumentHeight: null,
    markerDescription: null,
  },
  ...{
    geologicCharacteristic: null,
    bedrockType: null,
    city: null,
    state: null,
    country: null,
    countryCode: null,
  },
  ...{ latitude: null, longitude: null, elevation: null, x: null, y: null, z: null },
};

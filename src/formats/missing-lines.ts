import { berneseSta } from './bernese-sta.js';
import type { LineMissing } from './notes.js';
import { sinexSites } from './sinex.js';
import type { FormatOptions, SiteFile } from './site-format.js';
import type { SiteHistory } from './site-history.js';
import { stationInfo } from './station-info.js';

/** A line that is missing from a format. */
export interface LineMissingInFormat extends LineMissing {
  format: 'SINEX' | 'station.info' | 'STA';
}

const OPTIONS: FormatOptions = { now: '2000-01-01T00:00:00Z', firmwareChanges: true, during: null };

const FILES: readonly [LineMissingInFormat['format'], SiteFile][] = [
  ['SINEX', sinexSites(OPTIONS, null)],
  ['station.info', stationInfo(OPTIONS, true)],
  ['STA', berneseSta(OPTIONS, '1.03')],
];

/** The lines about a Site that are missing from each format, as the formats themselves report. */
export function missingLines(history: SiteHistory): LineMissingInFormat[] {
  const found: LineMissingInFormat[] = [];
  for (const [format, { parts }] of FILES) {
    for (const { ofSite } of parts)
      ofSite(history, (_kind, _what, _instead, missing) => {
        if (missing !== undefined) found.push({ format, ...missing });
      });
  }
  return found;
}

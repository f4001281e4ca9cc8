import type { NoLineNote } from '../findings/notes.js';
import { berneseSta } from './bernese-sta.js';
import { sinexSites } from './sinex.js';
import type { FormatOptions } from './site-format.js';
import type { SiteHistory } from './site-history.js';
import { stationInfo } from './station-info.js';

/** A line that is missing from a format. */
export interface MissingLine {
  format: 'SINEX' | 'station.info' | 'STA';
  note: NoLineNote;
}

const OPTIONS: FormatOptions = {
  now: '2000-01-01T00:00:00Z',
  source: null,
  firmwareChanges: true,
  during: null,
};

/** The lines about a Site that are missing from each format, as the formats themselves report. */
export function missingLines(history: SiteHistory): MissingLine[] {
  const files = {
    SINEX: sinexSites(OPTIONS, null),
    'station.info': stationInfo(OPTIONS, true),
    STA: berneseSta(OPTIONS, '1.03'),
  };
  const found: MissingLine[] = [];
  for (const format of ['SINEX', 'station.info', 'STA'] as const) {
    for (const { ofSite } of files[format].parts)
      ofSite(history, (note) => {
        if (note.code === 'no-line') found.push({ format, note });
      });
  }
  return found;
}

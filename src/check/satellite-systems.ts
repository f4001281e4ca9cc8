import { SATELLITE_SYSTEMS } from '../../schemas/index.js';
import type { Report } from '../findings/findings.js';
import { nearestTo } from '../requests/nearest.js';
import { placeOf } from '../site-log/record.js';
import type { CheckedLog } from './checked-log.js';

/** The check of the satellite systems of receivers. */

const CODES: ReadonlySet<string> = new Set(SATELLITE_SYSTEMS);

/** What systems are called, by the codes of the form. */
const NAMES: Readonly<Record<(typeof SATELLITE_SYSTEMS)[number], readonly string[]>> = {
  GPS: ['GPS', 'NAVSTAR'],
  GLO: ['GLO', 'GLONASS'],
  GAL: ['GAL', 'GALILEO'],
  BDS: ['BDS', 'BEIDOU', 'BEI', 'COMPASS'],
  QZSS: ['QZSS', 'QZS'],
  IRNSS: ['IRNSS', 'NAVIC'],
  SBAS: ['SBAS', 'WAAS', 'EGNOS'],
};

const QUOTATION_MARKS = /["'\u2018-\u201f]/g;

/** Reports satellite systems that the form does not have. */
export function checkSatelliteSystems({ log: { items } }: CheckedLog, report: Report): void {
  for (const item of items) {
    if (item.id.equipmentType !== 'gnss receiver') continue;
    const { satelliteSystem } = item.configuration as { satelliteSystem: string | null };
    if (satelliteSystem === null) continue;
    const unknown = satelliteSystem.split('+').filter((each) => !CODES.has(each));
    const plain = satelliteSystem.replace(QUOTATION_MARKS, '');
    if (plain !== satelliteSystem && plain.split('+').every((each) => CODES.has(each))) {
      const values = { quoted: [satelliteSystem], meant: plain, text: satelliteSystem } as const;
      report('unknown-satellite-system', placeOf(item), values);
      continue;
    }
    for (const written of unknown) {
      const [meant] = nearestTo(written, SATELLITE_SYSTEMS, (code) => [...NAMES[code]], 1);
      const values = { quoted: [written], meant: meant ?? null, text: satelliteSystem } as const;
      report('unknown-satellite-system', placeOf(item), values);
    }
  }
}

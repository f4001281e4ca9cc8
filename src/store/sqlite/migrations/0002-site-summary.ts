import type { Database } from 'better-sqlite3';

/**
 * What a list of Sites shows and searches, with a row for each existing Site. The code that computes the rows is a frozen
 * copy from the time of this migration. The next import of a Site brings its row up to date.
 */

/** What this migration reads of an item of equipment. */
interface InUse {
  content: { id: Record<string, string | null>; configuration: Record<string, string | number | null> };
}

/** The members that the site log form asks for. */
const ASKED: Record<string, { id: string[]; configuration: string[] }> = {
  'gnss receiver': {
    id: ['type', 'serialNumber'],
    configuration: ['firmwareVersion', 'satelliteSystem', 'elevetionCutoffSetting', 'temperatureStabilization'],
  },
  'gnss antenna': {
    id: ['type', 'serialNumber'],
    configuration: [
      'antennaReferencePoint',
      'markerArpUpEccentricity',
      'markerArpNorthEccentricity',
      'markerArpEastEccentricity',
      'alignmentFromTrueNorth',
      'radomeType',
      'radomeSerialNumber',
      'antennaCableType',
      'antennaCableLength',
    ],
  },
  'humidity sensor': { id: ['type', 'manufacturer', 'serialNumber', 'aspiration'], configuration: ['heightDiffToAntenna'] },
  clock: { id: ['type'], configuration: ['inputFrequency'] },
};

/** Whether the form asks for a member: only a radome has a serial number, and only an external clock an input frequency. */
function isAsked(member: string, { id, configuration }: InUse['content']): boolean {
  if (member === 'radomeSerialNumber') return configuration.radomeType != null && configuration.radomeType !== 'NONE';
  if (member === 'inputFrequency') return id.type != null && !/\bINTERNAL\b/i.test(id.type);
  return true;
}

/** The values that the form asks for; null if unknown. */
function askedValues({ content }: InUse): unknown[] {
  const asked = ASKED[content.id.equipmentType!]!;
  return [
    ...asked.id.map((member) => content.id[member] ?? null),
    ...asked.configuration.flatMap((member) => (isAsked(member, content) ? [content.configuration[member] ?? null] : [])),
  ];
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The members of a Site that are searched. */
const SITE_COLUMNS = ['four_character_id', 'nine_character_id', 'name', 'domes_number', 'city', 'state', 'country'];

type Row = Record<string, string | null> & { id: number };

/** The values of a row of `site_summary`, without the id of the Site. */
function summaryOf(row: Row): (string | number | null)[] {
  const equipment = JSON.parse(row.equipment_in_use ?? '[]') as InUse[];
  const ids = equipment.map(({ content: { id } }) => id);
  const searched = [
    ...SITE_COLUMNS.map((column) => row[column]),
    ...ids.flatMap(({ type, manufacturer, serialNumber }) => [type, manufacturer, serialNumber]),
  ];
  const text = fold(searched.filter((each) => each != null).join('\n'));
  if (row.effective_from === null) return [null, null, null, null, null, text];
  const typesOf = (kind: string) => JSON.stringify(ids.filter(({ equipmentType }) => equipmentType === kind).map(({ type }) => type));
  const values = equipment.flatMap(askedValues);
  const known = values.filter((value) => value !== null);
  return [typesOf('gnss receiver'), typesOf('gnss antenna'), row.effective_from!, values.length, known.length, text];
}

/** How many Sites are read at once. */
const BATCH = 1000;

/** Adds the table and fills it. */
export function siteSummary(db: Database): void {
  db.exec(`
  -- What a list of Sites shows and searches, from the Site and its current Setup: types as JSON arrays in the order of the
  -- Setup; how many values the form asks for and how many are known; search_text is folded. Without a current Setup, all but
  -- search_text are null.
  CREATE TABLE site_summary (
    site_id       INTEGER PRIMARY KEY REFERENCES site (id),
    receivers     TEXT,
    antennas      TEXT,
    since         TEXT,
    asked         INTEGER,
    known         INTEGER,
    search_text   TEXT NOT NULL
  ) STRICT;
  `);
  const unsummarised = db.prepare<[number], Row>(
    `SELECT site.id, ${SITE_COLUMNS.join(', ')}, effective_from, equipment_in_use
     FROM site LEFT JOIN setup ON setup.site_id = site.id AND superseded_at IS NULL AND effective_to IS NULL
     WHERE site.id NOT IN (SELECT site_id FROM site_summary) LIMIT ?`,
  );
  const add = db.prepare(
    'INSERT INTO site_summary (site_id, receivers, antennas, since, asked, known, search_text) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const summarise = (): number => {
    const rows = unsummarised.all(BATCH);
    for (const row of rows) add.run(row.id, ...summaryOf(row));
    return rows.length;
  };
  while (summarise() === BATCH);
}

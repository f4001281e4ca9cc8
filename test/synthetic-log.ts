/** One block of a synthetic log, with dates as in a log. */
export interface Item {
  type?: string;
  serial?: string;
  from?: string;
  to?: string;
  /** Further lines, as labels and values. */
  more?: Record<string, string>;
}

/** A synthetic log. */
export interface SyntheticLog {
  id?: string;
  prepared?: string;
  name?: string;
  country?: string;
  /** Further lines of section 1, as labels and values. */
  more?: Record<string, string>;
  /** Further lines of section 2, as labels and values. */
  place?: Record<string, string>;
  receivers?: Item[];
  antennas?: Item[];
  clocks?: Item[];
  sensors?: Item[];
  /** The agency of section 12. */
  agency?: string;
}

/** A place, for a synthetic log. */
export const placeOf = (latitude: string, longitude: string) => ({
  'Latitude (N is +)': latitude,
  'Longitude (E is +)': longitude,
});

const line = (label: string, value: string): string => `     ${label.padEnd(25)}: ${value}`;
const first = (number: string, label: string, value: string): string =>
  `${`${number} `.padEnd(5)}${label.padEnd(25)}: ${value}`;

/**
 * The text of a synthetic site log: version 1 of the IGS form, or version 2.0 for a nine-character
 * id.
 */
export function logText({
  id = 'TEST',
  prepared = '2020-01-01',
  name = 'Test',
  // Without a country, or with one that is none, a log has a finding of its own.
  country = id.length === 9 ? id.slice(6) : 'Australia',
  more: identification = {},
  place = {},
  receivers = [],
  antennas = [],
  clocks = [],
  sensors = [],
  agency,
}: SyntheticLog): string {
  const more = (item: Item) =>
    Object.entries(item.more ?? {}).map(([label, value]) => line(label, value));
  const effective = (item: Item) =>
    line(
      '  Effective Dates',
      item.from === undefined && item.to === undefined ? '' : `${item.from ?? ''}/${item.to ?? ''}`,
    );
  const device = (item: Item) => [
    line('Serial Number', item.serial ?? ''),
    ...more(item),
    line('Date Installed', item.from ?? ''),
    line('Date Removed', item.to ?? '(CCYY-MM-DDThh:mmZ)'),
  ];
  const blocks = (number: string, label: string, items: Item[], rest: (item: Item) => string[]) =>
    items.flatMap((item, index) => [
      first(`${number}.${index + 1}`, label, item.type ?? ''),
      ...rest(item),
    ]);
  return [
    `     ${id} Site Information Form (site log)`,
    '0.   Form',
    line('Date Prepared', prepared),
    '1.   Site Identification of the GNSS Monument',
    line('Site Name', name),
    line(id.length === 9 ? 'Nine Character ID' : 'Four Character ID', id),
    ...Object.entries(identification).map(([label, value]) => line(label, value)),
    '2.   Site Location Information',
    line(id.length === 9 ? 'Country or Region' : 'Country', country),
    ...Object.entries(place).map(([label, value]) => line(label, value)),
    '3.   GNSS Receiver Information',
    ...blocks('3', 'Receiver Type', receivers, device),
    '4.   GNSS Antenna Information',
    ...blocks('4', 'Antenna Type', antennas, device),
    '6.   Frequency Standard',
    ...blocks('6', 'Standard Type', clocks, (item) => [...more(item), effective(item)]),
    '8.   Meteorological Instrumentation',
    ...blocks('8.1', ' Humidity Sensor Model', sensors, (item) => [
      line('  Serial Number', item.serial ?? ''),
      ...more(item),
      effective(item),
    ]),
    ...(agency === undefined
      ? []
      : ['12.  Responsible Agency (if different from 11.)', line('Agency', agency)]),
    '',
  ].join('\n');
}

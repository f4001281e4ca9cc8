import { type EquipmentType, hasInstallations } from '../../../schemas/index.js';
import type { Overlap, Run, TimelineItem } from './layout.js';
import {
  capitalized,
  configurationSentences,
  counted,
  deviceWords,
  kindName,
  named,
  notesOf,
  sentence,
  typeWords,
  useWords,
} from '../page/words.js';

/** What a timeline says in words about its bars and overlaps. */

/** The most characters of details shown for a bar; the page at that time shows the rest. */
const LONGEST_DETAILS = 500;

/** The values that change while a device is in use. */
const VALUE_LABELS: Partial<Record<EquipmentType, string>> = {
  'gnss receiver': 'firmware',
  'gnss antenna': 'height',
  clock: 'input frequency',
  'humidity sensor': 'height',
  'pressure sensor': 'height',
  'temperature sensor': 'height',
  'water vapor sensor': 'height',
};

/** The name of the device of a bar. */
const nameOfRun = ({ items }: Run): string => {
  const { id } = items[0]!.content;
  return !hasInstallations(id.equipmentType)
    ? typeWords(id.type)
    : `${typeWords(id.type)} · ${id.serialNumber ?? 'serial number unknown'}`;
};

/** The names that may stand at a bar, from the most to the least telling. */
export function shortNamesOf(run: Run): string[] {
  const { id } = run.items[0]!.content;
  const type = typeWords(id.type);
  const names = [nameOfRun(run), type];
  const [first, ...others] = type.split(' ');
  // A receiver without its manufacturer, an antenna without its radome.
  if (id.equipmentType === 'gnss receiver' && others.length > 0) names.push(others.join(' '));
  if (id.equipmentType === 'gnss antenna') names.push(first!);
  if (id.serialNumber !== null) names.push(id.serialNumber);
  return names;
}

/** The name of the value below the bars of a kind of equipment; null if there is none. */
export const valueLabelOf = (equipmentType: EquipmentType): string | null =>
  VALUE_LABELS[equipmentType] ?? null;

/** What is said about a bar, gap or overlap: a title, and sentences. */
export type Details = [title: string, text: string];

/** The details of a bar. */
export function detailsOf(item: TimelineItem): Details {
  const { id, period } = item.content;
  const notes = notesOf(item);
  const text = [
    ...configurationSentences(item),
    ...(notes === null ? [] : [`Notes: ${notes}`]),
  ].join(' ');
  const use = useWords({ ...period, from: item.startUnknown ? null : period.from });
  return [
    `${capitalized(kindName(id.equipmentType))} ${deviceWords(id)}, ${use}`,
    text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS)}…` : text,
  ];
}

/** The names of items in use at the same time. */
export const namesOf = (items: TimelineItem[]): string =>
  sentence(named(items.map(({ content: { id } }) => deviceWords(id))));

/** An overlap in words. */
export function overlapWords(equipmentType: EquipmentType, { items, devices }: Overlap): string {
  const name = kindName(equipmentType);
  return devices === 1
    ? `One ${name} listed ${items.length} times`
    : `${counted(devices, name)} in use at once`;
}

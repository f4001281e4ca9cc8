import { type EquipmentType, hasInstallations } from '../../schemas/index.js';
import type { Overlap, Run, TimelineItem } from './timeline-layout.js';
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
} from './words.js';

/** What a timeline says in words about its bars and overlaps. */

/** The most characters of details shown for a bar; the page as of that time shows the rest. */
const LONGEST_DETAILS = 500;

/** The name of the device of a bar. */
export const nameOfRun = ({ items }: Run): string => {
  const { id } = items[0]!.content;
  return !hasInstallations(id.equipmentType) ? typeWords(id.type) : `${typeWords(id.type)} · ${id.serialNumber ?? 'serial number unknown'}`;
};

/** The details of a bar. */
export function detailsOf(equipment: TimelineItem): { title: string; text: string } {
  const { id, period } = equipment.content;
  const notes = notesOf(equipment);
  const text = [...configurationSentences(equipment), ...(notes === null ? [] : [`Notes: ${notes}`])].join(' ');
  return {
    title: `${capitalized(kindName(id.equipmentType))} ${deviceWords(id)}, ${useWords({ ...period, from: equipment.startUnknown ? null : period.from })}`,
    text: text.length > LONGEST_DETAILS ? `${text.slice(0, LONGEST_DETAILS)}…` : text,
  };
}

/** The names of items in use at the same time. */
export const namesOf = (items: TimelineItem[]): string => sentence(named(items.map(({ content: { id } }) => deviceWords(id))));

/** An overlap in words. */
export function overlapWords(equipmentType: EquipmentType, { items, devices }: Overlap): string {
  const name = kindName(equipmentType);
  return devices === 1 ? `One ${name} listed ${items.length} times` : `${counted(devices, name)} in use at once`;
}

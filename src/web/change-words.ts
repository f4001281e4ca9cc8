import type { EquipmentType, InstalledEquipment } from '../../schemas/index.js';
import { isSameDevice } from '../derive/devices.js';
import type { MergedChange } from '../derive/gaps.js';
import { type Content, html } from './page/html.js';
import type { Span } from './page/time-scale.js';
import { typeLink } from './type-lists.js';
import {
  capitalized,
  deviceWords,
  kindName,
  labelOf,
  lengthWords,
  sentence,
  serialWords,
  shortConfiguration,
  shortTime,
  typeWords,
  valueWords,
} from './page/words.js';

/** Describes changes in words. Types are links if the root of the service is known. */

/** A change with a gap in it. */
export type ChangeWithGap = MergedChange & { gap: Span };

const typeIn = (root: string | null, kind: EquipmentType, type: string | null): Content =>
  root === null ? typeWords(type) : typeLink(root, kind, type);

/** Words that are left out where a row has only one line for a change. */
const aside = (root: string | null, words: string): Content =>
  root === null || words === '' ? words : html`<span class="aside">${words}</span>`;

const deviceIn = (root: string | null, id: InstalledEquipment['content']['id']): Content[] => [
  typeIn(root, id.equipmentType, id.type),
  aside(root, serialWords(id)),
];

/** The difference of a member. */
function differenceWords(member: string, was: unknown, is: unknown): string {
  if (member === 'notes') return 'notes changed';
  const name = member === 'firmwareVersion' ? 'firmware' : labelOf(member);
  return `${name} ${valueWords(member, was)} → ${valueWords(member, is)}`;
}

/** The name of a kind of equipment: "GNSS" goes without saying. */
const nameIn = (root: string | null, name: string): Content[] =>
  name.startsWith('GNSS ') ? [aside(root, 'GNSS '), name.slice('GNSS '.length)] : [name];

/** What a change was, in words without a full stop. */
function changeParts(
  root: string | null,
  { equipmentType, kind, before, after, differingMembers, gap }: MergedChange,
): Content[] {
  const name = nameIn(root, capitalized(kindName(equipmentType)));
  const old = before?.content;
  const now = after?.content;
  if (kind === 'installed') return [...name, ' installed: ', ...deviceIn(root, now!.id)];
  if (kind === 'removed') return [...name, ' removed: ', ...deviceIn(root, old!.id)];
  if (kind === 'replaced')
    return [...name, ' replaced: ', ...deviceIn(root, old!.id), ' by ', ...deviceIn(root, now!.id)];
  const device = [...name, ' ', typeIn(root, equipmentType, now!.id.type)];
  if (gap !== null && differingMembers.length === 0) return [...device, ' removed and reinstalled'];
  const was: Record<string, unknown> = { ...old!.id, ...old!.configuration };
  const is: Record<string, unknown> = { ...now!.id, ...now!.configuration };
  const differences = differingMembers
    .map((member) => differenceWords(member, was[member], is[member]))
    .join('; ');
  // New firmware says enough.
  const verb = differingMembers.includes('firmwareVersion') ? ': ' : ' reconfigured: ';
  return [...device, verb, differences];
}

/** A change in one sentence, with its gap if it has one. @param root null for plain text */
export function changeWords(root: string | null, change: MergedChange): Content {
  const parts = changeParts(root, change);
  if (change.gap !== null) return [...parts, `, with a gap of ${lengthWords(change.gap)}.`];
  const last = parts.pop();
  return typeof last === 'string' && last !== ''
    ? [...parts, sentence(last)]
    : [...parts, last, '.'];
}

/** What changed at one of the Sites of a group, in a few words; empty if it is the same at all. */
export function summaryOfChange({ before, after, kind }: MergedChange): string {
  if (kind === 'replaced') return `was ${deviceWords(before!.content.id)}`;
  if (kind === 'installed' || before === null || after === null) return '';
  const was = shortConfiguration(before.content);
  return was === shortConfiguration(after.content) ? '' : `was ${was ?? 'unknown'}`;
}

/** The firmware that receivers had before, of those that are listed. */
const firmwareBefore = (changes: readonly MergedChange[]): string => {
  const all = changes.map(({ before }) => before && shortConfiguration(before.content));
  return [...new Set(all.map((each) => each ?? 'unknown'))].join('/');
};

/** What a group of changes was: "TRIMBLE NETR9, firmware 5.01/5.10 → 5.15". */
export function groupWords({ count, changes }: { count: number; changes: MergedChange[] }): string {
  const [{ equipmentType, kind, before, after, differingMembers }] = changes as [MergedChange];
  const { id, configuration } = (after ?? before)!.content;
  const type = typeWords(id.type);
  const firmware = 'firmwareVersion' in configuration ? configuration.firmwareVersion : null;
  const withFirmware = firmware === null ? type : `${type}, firmware ${firmware}`;
  if (kind === 'reconfigured') {
    if (!differingMembers.includes('firmwareVersion')) return `${type} reconfigured`;
    if (count > changes.length) return withFirmware;
    return `${type}, firmware ${firmwareBefore(changes)} → ${firmware ?? 'unknown'}`;
  }
  const name = capitalized(`${kindName(equipmentType)}s`);
  if (kind === 'removed') return `${name} removed: ${type}`;
  return `${name} ${kind}${kind === 'replaced' ? ' by' : ':'} ${withFirmware}`;
}

/** What is missing in the gap of a change, in one sentence. */
export function gapWords(
  root: string,
  { gap, equipmentType, before, after }: ChangeWithGap,
): Content {
  const old = before!.content.id;
  const now = after!.content.id;
  const devices = isSameDevice(before!, after!)
    ? [...deviceIn(root, now), ', was reconfigured.']
    : [...deviceIn(root, old), ', was replaced by ', ...deviceIn(root, now), '.'];
  const period = `${shortTime(gap.from)} to ${shortTime(gap.to)}`;
  return [`No ${kindName(equipmentType)} from ${period} (${lengthWords(gap)}), while `, ...devices];
}

import type { EquipmentType, InstalledEquipment } from '../../schemas/index.js';
import { isSameDevice } from '../derive/devices.js';
import type { MergedChange } from '../derive/gaps.js';
import type { Content } from './page/html.js';
import type { Span } from './page/time-scale.js';
import { typeLink } from './type-lists.js';
import {
  capitalized,
  kindName,
  labelOf,
  lengthWords,
  sentence,
  serialWords,
  shortTime,
  typeWords,
  valueWords,
} from './page/words.js';

/** Describes changes in words. Types are links if the root of the service is known. */

/** A change with a gap in it. */
export type ChangeWithGap = MergedChange & { gap: Span };

const typeIn = (root: string | null, kind: EquipmentType, type: string | null): Content =>
  root === null ? typeWords(type) : typeLink(root, kind, type);

const deviceIn = (root: string | null, id: InstalledEquipment['content']['id']): Content[] => [
  typeIn(root, id.equipmentType, id.type),
  serialWords(id),
];

/** What a change was, in words without a full stop. */
function changeParts(
  root: string | null,
  { equipmentType, kind, before, after, differingMembers, gap }: MergedChange,
): Content[] {
  const name = capitalized(kindName(equipmentType));
  const old = before?.content;
  const now = after?.content;
  if (kind === 'installed') return [`${name} installed: `, ...deviceIn(root, now!.id)];
  if (kind === 'removed') return [`${name} removed: `, ...deviceIn(root, old!.id)];
  if (kind === 'replaced')
    return [`${name} replaced: `, ...deviceIn(root, old!.id), ' by ', ...deviceIn(root, now!.id)];
  const device = [`${name} `, typeIn(root, equipmentType, now!.id.type)];
  if (gap !== null && differingMembers.length === 0) return [...device, ' removed and reinstalled'];
  const was: Record<string, unknown> = { ...old!.id, ...old!.configuration };
  const is: Record<string, unknown> = { ...now!.id, ...now!.configuration };
  const differences = differingMembers.map((member) => {
    if (member === 'notes') return 'notes changed';
    const before = valueWords(member, was[member]);
    const after = valueWords(member, is[member]);
    return `${labelOf(member)} ${before} → ${after}`;
  });
  return [...device, ` reconfigured: ${differences.join('; ')}`];
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

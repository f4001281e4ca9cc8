import type { InstalledEquipment, Instant } from '../../schemas/index.js';
import { isSameDevice } from '../derive/changes.js';
import type { MergedChange } from '../derive/gaps.js';
import {
  capitalized,
  deviceWords,
  kindName,
  labelOf,
  lengthWords,
  plainWords,
  sentence,
  shortTime,
  typeWords,
  valueWords,
  type Words,
} from './words.js';

/** Describes changes in words. */

type Content = InstalledEquipment['content'];

/** A device as words, with its type separate, for pages that format types differently. */
const deviceParts = (id: Content['id']): Words => [
  { equipmentType: id.equipmentType, type: id.type },
  deviceWords(id).slice(typeWords(id.type).length),
];

/** What a change was, in words without a full stop. */
function changeParts({ equipmentType, kind, before, after, differingMembers }: MergedChange): Words {
  const name = capitalized(kindName(equipmentType));
  const [old, now] = [before?.content, after?.content];
  switch (kind) {
    case 'installed':
      return [`${name} installed: `, ...deviceParts(now!.id)];
    case 'removed':
      return [`${name} removed: `, ...deviceParts(old!.id)];
    case 'replaced':
      return [`${name} replaced: `, ...deviceParts(old!.id), ' by ', ...deviceParts(now!.id)];
    case 'reconfigured': {
      const members = (content: Content) => ({ ...content.id, ...content.configuration }) as Record<string, unknown>;
      const [was, is] = [members(old!), members(now!)];
      const differences = differingMembers.map((member) =>
        member === 'notes' ? 'notes changed' : `${labelOf(member)} ${valueWords(member, was[member])} → ${valueWords(member, is[member])}`,
      );
      return [`${name} `, { equipmentType, type: now!.id.type }, ` reconfigured: ${differences.join('; ')}`];
    }
  }
}

/** A change in one sentence, with the gap in it if it has one. */
export function mergedChangeWords(change: MergedChange): Words {
  const { gap, kind, after, differingMembers, equipmentType } = change;
  const parts = changeParts(change);
  if (gap === null) return [...parts, sentence(plainWords(parts)).slice(plainWords(parts).length)];
  const reinstalled: Words = [
    `${capitalized(kindName(equipmentType))} `,
    { equipmentType, type: after!.content.id.type },
    ' removed and reinstalled',
  ];
  return [...(kind === 'reconfigured' && differingMembers.length === 0 ? reinstalled : parts), `, with a gap of ${lengthWords(gap)}.`];
}

/** What is missing in the gap of a change, in one sentence. */
export function gapSentence({ gap, equipmentType, before, after }: MergedChange & { gap: { from: Instant; to: Instant } }): Words {
  const [old, now] = [before!.content.id, after!.content.id];
  const devices: Words = isSameDevice(old, now)
    ? [...deviceParts(now), ', was reconfigured']
    : [...deviceParts(old), ', was replaced by ', ...deviceParts(now)];
  return [
    `No ${kindName(equipmentType)} from ${shortTime(gap.from)} to ${shortTime(gap.to)} (${lengthWords(gap)}), while `,
    ...devices,
    '.',
  ];
}

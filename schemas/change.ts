import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { EquipmentInUse, SETUP_EQUIPMENT_TYPES } from './equipment.js';
import { Link, ListLinks, pageOf } from './hal.js';
import { closed, enumOf, Id, idsOfSite, Instant, orNull, RecordTime } from './values.js';

/** The ways in which the equipment at a Site can change. */
export const CHANGE_KINDS = ['installed', 'removed', 'replaced', 'reconfigured'] as const;

/** The ends of a gap. */
export const gapMembers = {
  from: Instant('When the equipment was removed, in UTC.'),
  to: Instant('When equipment of this kind was installed again, in UTC.'),
};

/** The time between a removal and the installation that ends it. */
export const Gap = closed('Half-open period [from, to) without the equipment.', gapMembers);

/** The gap of a change. */
export const GapOfChange = orNull(
  Gap,
  'The time between the removal and the installation, if these are one change; otherwise null.',
);

/** A change to the equipment at a Site. */
export const Change = closed('A change to the equipment at a Site.', {
  at: Instant(
    'The time of the change, in UTC. A newer Setup is in effect from this instant. ' +
      'If the change has a gap, its start.',
  ),
  siteId: Id('the Site'),
  ...idsOfSite,
  equipmentType: enumOf(SETUP_EQUIPMENT_TYPES, 'The kind of equipment.'),
  kind: enumOf(
    CHANGE_KINDS,
    'installed, removed, replaced (by another device) or reconfigured (same device, new ' +
      'configuration, such as a firmware update or another radome; with a gap and no differing ' +
      'members, reinstalled as it was).',
  ),
  before: orNull(
    EquipmentInUse,
    'The equipment in use before the change; null if the change is an installation.',
  ),
  after: orNull(
    EquipmentInUse,
    'The equipment in use after the change; null if the change is a removal.',
  ),
  differingMembers: Type.Array(Type.String(), {
    description:
      'The members of the identity and configuration that differ between `before` and ' +
      '`after`, other than in their spelling.',
  }),
  gap: GapOfChange,
  withdrawn: Type.Optional(
    orNull(
      RecordTime('A record time.'),
      'When the change was withdrawn from the record, in UTC; null if it is on record. Only with ' +
        '`recordedSince`, or of a withdrawn change by its id.',
    ),
  ),
  _links: closed('Links to the change and to the Site.', { self: Link, corsSite: Link }),
});
export type Change = Static<typeof Change>;

/** One page of changes, in chronological order. */
export const ChangeCollection = pageOf(
  'changes',
  'changes',
  Change,
  ListLinks,
  'One page of changes, in chronological order.',
);

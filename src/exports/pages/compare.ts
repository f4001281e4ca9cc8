import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { type Instant, isSiteId } from '../../../schemas/index.js';
import { instantOf } from '../parameters.js';
import { invalidParameter } from '../refusals.js';

/** How many Sites one can compare. */
export const MOST_COMPARED = 6;

/** The parameters of a comparison of Sites. In JSON, too, they are as a form sends them. */
export const comparisonParameters = {
  site: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: MOST_COMPARED,
      description: 'The ids of up to six Sites, separated by spaces or as a repeated parameter.',
    }),
  ),
  at: Type.Optional(
    Type.String({ maxLength: 100, description: 'The instant of the Setups; empty for now.' }),
  ),
};

type ComparisonQuery = Static<TObject<typeof comparisonParameters>>;

/**
 * The ids of the Sites to compare, each once, in upper case if they have the form of one.
 * @throws {RequestRefused} if there are too many
 */
export function comparedIds({ site = [] }: ComparisonQuery): string[] {
  const asked = site.flatMap((each) => each.split(/[\s,]+/)).filter((each) => each !== '');
  const ids = [...new Set(asked.map((each) => (isSiteId(each) ? each.toUpperCase() : each)))];
  if (ids.length <= MOST_COMPARED) return ids;
  throw invalidParameter({
    name: 'site',
    value: asked.join(' '),
    reason: `names ${ids.length} Sites`,
    allowed: `at most ${MOST_COMPARED} different Sites.`,
  });
}

/**
 * The instant of the Setups to compare; null for now.
 * @throws {RequestRefused} if it is malformed
 */
export function comparedAt({ at = '' }: ComparisonQuery): Instant | null {
  const text = at.trim();
  return text === '' ? null : instantOf('at', text);
}

import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { asOfFilter, type Instant } from '../../../schemas/index.js';
import { AtParameter, instantOf, periodOf, periodParameters } from '../parameters.js';

/** The parameters of the page of a Site. The period is that of the timeline. */
export const sitePageParameters = {
  at: Type.Optional(AtParameter),
  ...periodParameters,
  ...asOfFilter,
};

/**
 * The times that the page of a Site shows: the instant of its Setup, null for now, and the bounds
 * of its timeline, null for the natural ones.
 * @throws {RequestRefused} if one is malformed
 */
export function timesOf({ at, from, to }: Static<TObject<typeof sitePageParameters>>): {
  at: Instant | null;
  from: Instant | null;
  to: Instant | null;
} {
  return {
    at: at === undefined ? null : instantOf('at', at),
    ...periodOf({ names: ['from', 'to'], from, to }),
  };
}

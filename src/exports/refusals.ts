import type { InvalidParameter } from '../../schemas/index.js';
import type { UnresolvedSite } from '../derive/site-identity.js';

/** Why a request is refused. */
type RefusalReason =
  /** At least one parameter violates its schema, or has no valid meaning. */
  | { kind: 'invalid-parameters'; parameters: InvalidParameter[] }
  /** A value of a parameter identifies no Site. */
  | {
      kind: 'unresolved-site';
      parameter: 'site' | 'near';
      asked: string;
      answer: UnresolvedSite;
      /** The record time that was asked about; null for now. */
      asOf: string | null;
    }
  /** Nothing was on record at the time that was asked about; null for now. */
  | { kind: 'nothing-recorded'; asOf: string | null };

/** That something was not on record at an earlier time. @param what as in `Nothing was` */
const sentenceNotThen = (what: string, asOf: string): string =>
  `${what} on record at ${asOf.replace('.000Z', 'Z')}; ` +
  'for what was at the station then, use at.';

/** That no Site had an id on record at an earlier time. @param asked the id, for people */
export const sentenceNotRecorded = (asked: string, asOf: string): string =>
  sentenceNotThen(`No Site had the id ${asked}`, asOf);

/** That nothing was on record at a time; null for now. */
const sentenceNothingRecorded = (asOf: string | null): string =>
  asOf === null ? 'Nothing is on record.' : sentenceNotThen('Nothing was', asOf);

/**
 * Why an id identifies no Site, as a sentence.
 * @param asked the id, for people
 * @param asOf the record time that was asked about; null for now
 */
export function sentenceAbout(
  answer: UnresolvedSite,
  asked: string,
  asOf: string | null = null,
): string {
  switch (answer.kind) {
    case 'unknown-site':
      return asOf === null ? `No Site has the id ${asked}.` : sentenceNotRecorded(asked, asOf);
    case 'ambiguous-site': {
      const { candidates } = answer;
      return `${candidates.length} Sites have or had the id ${asked}: ${candidates.join(', ')}.`;
    }
    case 'retired-site':
      return `${asked} was retired at ${answer.since}.`;
    case 'renamed-site':
      return `${asked} is now ${answer.id}.`;
  }
}

/** What is wrong with a parameter, and what it accepts. */
function sentenceAboutParameter({ name, reason, allowed }: InvalidParameter): string {
  const sentence = `Parameter "${name}" ${reason}`;
  return allowed === '' ? `${sentence}.` : `${sentence}; allowed: ${allowed}`;
}

/** What is wrong with the first parameter; the names of the others. */
function sentenceAboutParameters([first, ...others]: InvalidParameter[]): string {
  const sentence = sentenceAboutParameter(first!);
  if (others.length === 0) return sentence;
  const names = others.map(({ name }) => `"${name}"`).join(', ');
  return `${sentence} Also refused: ${names}.`;
}

/** The reason as a sentence. */
function sentenceOf(reason: RefusalReason): string {
  switch (reason.kind) {
    case 'invalid-parameters':
      return sentenceAboutParameters(reason.parameters);
    case 'unresolved-site':
      return sentenceAbout(reason.answer, reason.asked, reason.asOf);
    case 'nothing-recorded':
      return sentenceNothingRecorded(reason.asOf);
  }
}

/**
 * A request that cannot be answered as it is. It knows neither HTTP nor the command line:
 * `src/http/wire/problems.ts` makes a problem document of it, and `src/cli/line/query.ts` an error
 * of usage. The message is a sentence for both.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';

  constructor(readonly reason: RefusalReason) {
    super(sentenceOf(reason));
  }
}

/** Refuses a request because of some parameters, at least one. */
export const invalidParameters = (parameters: InvalidParameter[]): RequestRefused =>
  new RequestRefused({ kind: 'invalid-parameters', parameters });

/** Refuses a request because of one parameter. */
export const invalidParameter = (parameter: InvalidParameter): RequestRefused =>
  invalidParameters([parameter]);

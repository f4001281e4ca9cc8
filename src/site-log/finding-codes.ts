/**
 * The codes of findings, with the messages that they stand for. Dashboards and alerts name codes,
 * so a code never changes its name or meaning. If another code is assigned to a message, a
 * migration must set that of the findings on record to NULL. The expressions begin at the start or
 * end of a message, which quotes labels of the log in between.
 */
const CODES = {
  'additional-site-log': /^additional siteLog element ignored; /,
  'blank-block': / block without any values; ignored as a blank template$/,
  'deletion-is-removal': /, without a reason; not treated as withdrawn$/,
  'decoded-references': /: character references decoded$/,
  'deleted-property': / has a dateDeleted; ignored as withdrawn$/,
  'deviating-value': /; read as \S+$/,
  'deviating-heading': /; read as its beginning$/,
  'deviating-item': /; read as an item$/,
  'duplicate-section': /; first section used$/,
  'duplicate-value': /; first value used$/,
  'filled-template': /; counted as an item$/,
  'foreign-gml-id': /^gml:id: does not begin with the four-character id .*; ignored$/,
  'future-date': /^Date Prepared is in the future; /,
  'ignored-element': /; (element|text) ignored$/,
  'ignored-line': /; lines? ignored$/,
  'indented-label': /; read as part of the value above$/,
  'leading-zeros': / only in leading zeros; treated as another device$/,
  'long-line': /; line is longer$/,
  'long-value': / characters; only the first \d+ used$/,
  'many-findings': /^more than \d+ findings; the rest are not reported$/,
  'many-instruments': /^more than \d+ instruments in one log; the rest are ignored$/,
  'missing-element': / refers to an element that is not in the file; ignored$/,
  'new-item': /; treated as a new item$/,
  'no-dates': /^no equipment has a date; /,
  'not-utf-8': /^the path is not UTF-8; /,
  'not-utf-8-text': / not UTF-8.*; (it was|they were) read as [\w-]+$/,
  'invisible-character': /: contains invisible characters \([U+\dA-F, ]+\)$/,
  'no-place': /; value left out$/,
  'older-log': /^kept, but changes nothing: this log (is|was) /,
  'partly-written': /: no place in .* for all of the text; only .* written$/,
  'position-computed': /^no latitude or longitude; position computed from X, Y and Z$/,
  'position-mismatch': /^latitude and longitude are \d+ km from X, Y and Z /,
  'removed-before-installed': / removed before it was installed; (in no Setup|ignored)$/,
  'renamed-site': /^saved for \S+: the Site was renamed$/,
  'retired-site': /^kept, but changes nothing: the Site was retired at /,
  'same-day-log': /^prepared on the same day as .*; replaces it because it was imported later$/,
  'shared-element': / refers to an element that is already in use by another property; ignored$/,
  'title-country': /^title: .*; title ignored$/,
  'title-differs': /^the title names another Site than the id \w+$/,
  'unread-item': /; item not read$/,
  'unreadable-value': /; treated as unknown$/,
  'shared-id': /^not the same Site as .*; use nine-character ids for these Sites from now on$/,
  'withdrawn-log': /^changes nothing: this log was withdrawn at /,
  'zero-position': / are all 0; treated as missing$/,
} as const;

/** The code of a finding; `other` for what an earlier version found. */
export type FindingCode = keyof typeof CODES | 'other';

const ENTRIES = Object.entries(CODES) as [keyof typeof CODES, RegExp][];

/** The codes that a message has: one, if a reader of this version wrote it. */
export const codesOf = (message: string): FindingCode[] =>
  ENTRIES.flatMap(([code, pattern]) => (pattern.test(message) ? [code] : []));

/** The codes of the findings of readers. */
export const READER_CODES = Object.keys(CODES) as (keyof typeof CODES)[];

/** The code of a finding that does not reject its log: that of its check, or by its message. */
export const codeOf = ({ code, message }: { code?: string; message: string }): string =>
  code ?? codesOf(message)[0] ?? 'other';

/** The codes of the reasons for which a file is rejected, as above. */
const REJECTIONS = {
  'ambiguous-id': /^several Sites have or had this id: /,
  'cannot-be-read': /^cannot be read: /,
  'cannot-be-saved': /^cannot be saved: /,
  'malformed-xml': /^not well-formed XML: /,
  'no-site-id': /; cannot identify the site$/,
  'not-a-site-log':
    /^(not a site log; |not a regular file$|XML without a GeodesyML siteLog element$)/,
  'too-large':
    /^(more than \d+ equipment blocks |\d+ bytes; expected a site log of at most |the Setups of the log would have more than )/,
  'two-site-logs': /^two site logs in one file: /,
  'unsupported-version': /^unsupported GeodesyML version/,
} as const;

/** The code of the reason for which a file is rejected; `rejected` for any other. */
export const rejectionCodeOf = (message: string): string =>
  Object.entries(REJECTIONS).find(([, pattern]) => pattern.test(message))?.[0] ?? 'rejected';

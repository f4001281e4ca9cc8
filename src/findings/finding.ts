/**
 * What is wrong with a log, as data: a code, a place and values. Sentences are made of these when
 * they are shown; nothing reads them back.
 */

/**
 * The severity of a finding. `info`: read despite a deviation; `warning`: a value was lost;
 * `error`: the log was rejected.
 */
export type FindingLevel = 'info' | 'warning' | 'error';

/** The part of a log that a finding is about. */
export interface PartOfLog {
  /** The section of the text form: 3, 8.1. Null outside of all sections. */
  section?: string | null;
  /** The number of the item among those of its section that are read, from 1. */
  item?: number | null;
  /** The label or the XML element of the value. */
  label?: string | null;
}

/** Where a finding is in a log. */
export interface Place extends PartOfLog {
  /** Counted from 1. */
  line: number;
  /** The last of several lines. */
  lastLine?: number;
}

/** What a finding says beside its code and its place. */
export interface FindingValues {
  /** Texts of the file, in the order in which the message has them. Contacts are withheld. */
  quoted?: readonly string[];
  /** Facts that are not text of the file. */
  [name: string]: unknown;
}

/** The values of a code whose sentences are always the same. */
type NoValues = Record<never, never>;

/** What is found under one code. */
export interface FindingKind<Values extends FindingValues = FindingValues> {
  /** The usual level; the place where it is found may choose another. */
  level: FindingLevel;
  /** The code in a few words. */
  name: string;
  /** What was found, in a sentence, for people who do not know the check. */
  explanation: string;
  /** What to do. */
  advice: (values: Values) => string;
  /** What is wrong, and how it was handled. It does not include the offending text. */
  message: (values: Values, part: PartOfLog) => string;
}

/** Makes a sentence that is the same for all values a function. */
function always<Given extends unknown[]>(
  sentence: string | ((...given: Given) => string),
): (...given: Given) => string {
  return typeof sentence === 'string' ? () => sentence : sentence;
}

/** Declares kinds of findings of one usual level. */
const ofLevel =
  (level: FindingLevel) =>
  <Values extends FindingValues = NoValues>(
    name: string,
    explanation: string,
    advice: string | FindingKind<Values>['advice'],
    message: string | FindingKind<Values>['message'],
  ): FindingKind<Values> => ({
    level,
    name,
    explanation,
    advice: always(advice),
    message: always(message),
  });

/** Declares what was read despite a deviation. */
export const info = ofLevel('info');
/** Declares what was lost, or misleads. */
export const warning = ofLevel('warning');
/** Declares why a file is rejected. */
export const error = ofLevel('error');

/** A kind of equipment in a sentence: "receiver", "clock". @param kind such as `gnss receiver` */
export const nameOfKind = (kind: string): string => kind.replace(/^gnss /, '');

import type { CorsSite } from '../../schemas/index.js';
import type { Note } from './notes.js';
import { longestSiteId, type NotedSite } from './site-format.js';

/** DOMES numbers in the formats of geodetic software. */

/** The form of the numbers that the IERS assigns. */
const IERS_FORM = /^\d{5}[MS]\d{3}$/;
/** Nine letters or digits, at least five of them digits. */
const NINE = /^[A-Z0-9]{9}$/;
const FEWEST_DIGITS = 5;

/** Whether a number has the form of those that the IERS assigns. */
export const isIersDomes = (domesNumber: string): boolean => IERS_FORM.test(domesNumber);

/**
 * Why a number cannot be written; null if it can. Agencies use numbers of other forms too, such as
 * `AUM000008`. Digits that are all alike stand for an unknown number.
 */
function whyUnwritable(domesNumber: string): string | null {
  if (!NINE.test(domesNumber)) return 'it does not have nine capital letters or digits';
  const digits = domesNumber.replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return 'it has fewer than five digits';
  if (new Set(digits).size === 1) return 'its digits are all alike';
  return null;
}

/** The DOMES number of a Site as it is written; null if it is unknown or cannot be written. */
export const writtenDomes = ({ domesNumber }: CorsSite): string | null =>
  domesNumber !== null && whyUnwritable(domesNumber) === null ? domesNumber : null;

/** The DOMES numbers of one file. */
export class DomesNumbers {
  /** The first Site whose number has another form than that of the IERS. */
  private first: CorsSite | null = null;
  private others = 0;

  /** The number of a Site; null, with a note, if it cannot be written. */
  write(site: CorsSite, note: Note): string | null {
    const { domesNumber } = site;
    const why = domesNumber === null ? null : whyUnwritable(domesNumber);
    if (why !== null) note('domes', `DOMES number "${domesNumber}" is left out`, why);
    const written = writtenDomes(site);
    if (written !== null && !isIersDomes(written)) {
      if (this.first === null) this.first = site;
      else this.others++;
    }
    return written;
  }

  /** How many numbers were written that have another form than that of the IERS. */
  summary(): NotedSite[] {
    if (this.first === null) return [];
    const which = `DOMES number "${this.first.domesNumber}"`;
    const form = 'not of the IERS form (five digits, M or S, three digits)';
    const others = `${this.others.toLocaleString('en')} ${this.others === 1 ? 'other' : 'others'}`;
    const text =
      this.others === 0
        ? `${which} is ${form}; it is written as it is`
        : `${which} and ${others} of this file are ${form}; they are written as they are`;
    return [{ site: longestSiteId({ site: this.first }), kind: 'otherDomes', text }];
  }
}

import type { AddNote, DomesFault, Note, SiteNote } from '../findings/notes.js';
import { siteIdText } from '../requests/site-id.js';
import type { WrittenSite } from './site-history.js';
import { IERS_FORM } from '../derive/stations.js';

/** DOMES numbers in the formats of geodetic software. */

/** Nine letters or digits, at least five of them digits. */
const NINE = /^[A-Z0-9]{9}$/;
const FEWEST_DIGITS = 5;

/** Whether a number has the form of those that the IERS assigns. */
export const isIersDomes = (domesNumber: string): boolean => IERS_FORM.test(domesNumber);

/**
 * What is wrong with a number; null if it can be written. Agencies use numbers of other forms too,
 * such as `AUM000008`. Digits that are all alike stand for an unknown number.
 */
function faultOf(domesNumber: string): DomesFault | null {
  if (!NINE.test(domesNumber)) return 'form';
  const digits = domesNumber.replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return 'few-digits';
  if (new Set(digits).size === 1) return 'alike-digits';
  return null;
}

/** The DOMES number of a Site as it is written; null if it is unknown or cannot be written. */
export const writtenDomes = ({ domesNumber }: WrittenSite): string | null =>
  domesNumber !== null && faultOf(domesNumber) === null ? domesNumber : null;

/** The DOMES numbers of one file. */
export class DomesNumbers {
  /** The first Site whose number has another form than that of the IERS. */
  private first: WrittenSite | null = null;
  private others = 0;

  /** The number of a Site; null, with a note, if it cannot be written. */
  write(site: WrittenSite, note: AddNote): string | null {
    const { domesNumber } = site;
    const fault = domesNumber === null ? null : faultOf(domesNumber);
    if (domesNumber !== null && fault !== null)
      note({ code: 'domes-left-out', domesNumber, fault });
    const written = writtenDomes(site);
    if (written !== null && !isIersDomes(written)) {
      if (this.first === null) this.first = site;
      else this.others++;
    }
    return written;
  }

  /** The note about the numbers written that have another form than that of the IERS, if any. */
  summary(): SiteNote[] {
    const { first, others } = this;
    if (first === null) return [];
    const domesNumber = first.domesNumber!;
    const note: Note = { code: 'domes-of-other-form', domesNumber, others };
    return [{ site: siteIdText(first), note }];
  }
}

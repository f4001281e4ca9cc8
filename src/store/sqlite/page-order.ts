import type { Term } from '../page-order.js';
import type { Group, Selection } from './selection.js';

/**
 * Finds the ids of a deep page. SQLite skips rows fast if an index has them in exactly the requested order, and sorts all of
 * them if one term differs: another direction, or unknown values last. So this goes from term to term: it finds which values
 * of the first term the page has, and looks for the rest of the order among the rows with these values only.
 */

/** Up to this number, rows are sorted at once. */
export const FEW = 1000;

/** The ids at a place in an order. @param terms the last one is the id */
export function idsAt(selection: Selection, terms: Term[], offset: number, limit: number): number[] {
  const [term, ...rest] = terms as [Term, ...Term[]];
  const groups = selection.groups(term);
  if (groups !== null) return idsInGroups(selection, terms, groups, offset, limit);
  const index = selection.indexFor(term.property);
  if (index === undefined) return selection.ids(terms, offset, limit);
  const indexed = selection.from(index);
  if (rest.length === 0) return indexed.ids(terms, offset, limit);
  return term.unknown === null ? idsOfKnown(indexed, terms, offset, limit) : idsByKnowledge(indexed, terms, offset, limit);
}

/** The same if the number of rows with each value of the first term is known. */
function idsInGroups(selection: Selection, [term, ...rest]: Term[], groups: Group[], offset: number, limit: number): number[] {
  const found: number[] = [];
  let skip = offset;
  for (const { value, number } of groups) {
    const wanted = Math.min(limit - found.length, number - skip);
    if (wanted > 0) {
      const ofValue = selection.with(term!.property, value);
      // As arguments of one call, this many ids could overflow the stack.
      for (const id of number <= FEW ? ofValue.ids(rest, skip, wanted) : idsAt(ofValue, rest, skip, wanted)) found.push(id);
    }
    skip = Math.max(0, skip - number);
  }
  return found;
}

/** The same if an index has the order of the first term, and some of its values are unknown: these come last or first. */
function idsByKnowledge(selection: Selection, terms: Term[], offset: number, limit: number): number[] {
  const [{ property, sql, unknown }, ...rest] = terms as [Term, ...Term[]];
  const parts: Part[] = [
    { rows: selection.where([`${sql} IS NOT NULL`]), idsAt: (...place) => idsOfKnown(selection, terms, ...place) },
    { rows: selection.with(property, null), idsAt: (...place) => idsAt(selection.with(property, null), rest, ...place) },
  ];
  const [first, second] = (unknown === 'last' ? parts : parts.reverse()) as [Part, Part];
  const found = first.idsAt(offset, limit);
  if (found.length === limit) return found;
  const skip = found.length > 0 ? 0 : offset - first.rows.count();
  return [...found, ...second.idsAt(skip, limit - found.length)];
}

/** The rows with a known value, or those without. */
interface Part {
  rows: Selection;
  idsAt: (offset: number, limit: number) => number[];
}

/** The same for the rows with a known value of the first term, if an index has its order. */
function idsOfKnown(selection: Selection, terms: Term[], offset: number, limit: number): number[] {
  const [term, ...rest] = terms as [Term, ...Term[]];
  const { sql, descending, property } = term;
  const first = selection.valueAt(term, offset);
  if (first === undefined) return [];
  const last = selection.valueAt(term, offset + limit - 1) ?? selection.valueAt({ ...term, descending: !descending }, 0)!;
  const [before, after] = descending ? ['>', '<'] : ['<', '>'];
  const earlier = offset === 0 ? 0 : selection.where([`${sql} ${before} ?`, first]).count();
  const ofFirst = idsAt(selection.with(property, first), rest, offset - earlier, limit);
  if (first === last) return ofFirst;
  // Those between the first and the last value are all on the page. Their values are known, so the index has their order.
  const between = selection
    .where([`${sql} ${after} ? AND ${sql} ${before} ?`, first, last])
    .ids([{ ...term, unknown: null }, ...rest], 0, limit - ofFirst.length);
  const ofLast = idsAt(selection.with(property, last), rest, 0, limit - ofFirst.length - between.length);
  return [...ofFirst, ...between, ...ofLast];
}

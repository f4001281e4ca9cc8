import { SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../src/links.js';
import { lookupUrl } from './lookup-request.js';
import { siteIdOf } from './synthetic-logs.js';

/**
 * Paths none of which is made twice, so that the response cache, which goes by URL, never has the answer, and what is
 * measured is the lookup. A Site is named by one of the 1.7 million nine-character ids that begin with its
 * four-character id (its log gives no other, so each is as good), drawn at random as the Site and the instant are; in
 * lookups of both kinds, which so differ by nothing but `at`. The same at every run.
 */
export class FreshPaths {
  private readonly made = new Set<string>();
  private state = 1;

  /** The current Setup of a Site. */
  current(sites: number, count: number): string[] {
    return this.several(count, () => lookupUrl('', this.site(sites)));
  }

  /** The Setup of a Site at an instant between the two days. */
  at(sites: number, count: number, from: string, to: string): string[] {
    return this.several(count, () =>
      href('', searchPathOf(SETUPS, 'findAtByFourCharacterId'), { query: { id: this.site(sites), at: this.instant(from, to) } }),
    );
  }

  /** The first page of the changes of a year that begins at an instant between the two days. */
  changes(count: number, from: string, to: string): string[] {
    return this.several(count, () => {
      const begin = this.instant(from, to);
      return href('', PATHS.changes, { query: { from: begin, to: instantOf(Date.parse(begin) + YEAR) } });
    });
  }

  /** Pages of the Setups, from `first` on. */
  pages(count: number, first: number): string[] {
    let page = first;
    return this.several(count, () => href('', pathOf(SETUPS), { query: { page: page++ } }));
  }

  private several(count: number, make: () => string): string[] {
    const paths: string[] = [];
    while (paths.length < count) {
      const path = make();
      if (this.made.has(path)) continue;
      this.made.add(path);
      paths.push(path);
    }
    return paths;
  }

  private site(sites: number): string {
    const letters = Array.from({ length: 3 }, () => String.fromCharCode(65 + this.random(26))).join('');
    return `${siteIdOf(this.random(sites))}${String(this.random(100)).padStart(2, '0')}${letters}`;
  }

  private instant(from: string, to: string): string {
    const begin = Date.parse(from);
    return instantOf(begin + 1000 * this.random((Date.parse(to) - begin) / 1000));
  }

  /** A whole number below `limit`; of a generator with a seed (mulberry32). */
  private random(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}

/** In milliseconds. */
const YEAR = 365 * 24 * 3600 * 1000;

/** As the service writes instants. */
const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

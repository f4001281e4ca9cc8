import { isSiteId } from '../../../schemas/index.js';
import { nearestTo } from '../../requests/nearest.js';
import type { SiteName } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';

/** How many similar Sites are offered. */
const MOST_NEAREST = 5;
/** How many names are compared with a text at once. It takes a few milliseconds. */
const COMPARED_AT_ONCE = 200;

/** The Sites whose ids, names or places are similar to a text. */
export async function nearestSites(store: Store, text: string): Promise<SiteName[]> {
  const textsOf = ({ shortestId, name, city, state, country }: SiteName) =>
    [shortestId, name, city, state, country].filter((each) => each !== null);
  // The last five characters of a nine-character id say little about the Site.
  const asked = isSiteId(text) ? text.slice(0, 4) : text;
  const names = await store.sites.findNames();
  let sites: SiteName[] = [];
  for (let begin = 0; begin < names.length; begin += COMPARED_AT_ONCE) {
    // Let other requests run.
    await ownTurn();
    const compared = [...sites, ...names.slice(begin, begin + COMPARED_AT_ONCE)];
    sites = nearestTo(asked, compared, textsOf, MOST_NEAREST);
  }
  return sites;
}

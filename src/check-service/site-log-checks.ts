import { type Json, memberOf } from './json.js';
import { type PageReader, totalOf } from './page-reader.js';
import { elementsOf, type Pairs, selfOf } from './probe.js';
import { filtersOf } from './published-contract.js';
import { type SearchCheck, siteOf, textOf, unless, valueOf } from './search-request.js';
import { isValue, sortableOf } from './sort-checks.js';

/** How many logs are compared with their Sites. */
const COMPARED = '5';

/**
 * Logs are found by their own properties. With any other property, they are the logs of the Sites that the same filter or
 * order finds, in the same order.
 */
export async function checkLogsOfSites(reader: PageReader, [first]: Json[]): Promise<void> {
  const { operation, run } = reader.probe;
  const sites = run.deployment.elementsOf(run.contract.operationOf('/corsSites'));
  for (const filter of filtersOf(operation)) {
    const own = memberOf(first, filter.name);
    if (own !== undefined) {
      await checkOwnFilter(reader, filter.name, own);
      continue;
    }
    const known = sites
      .map((site) => memberOf(site, filter.name))
      .find((value) => isValue(value) && run.contract.accepts(filter, String(value)));
    if (known === undefined) reader.probe.findings.lack('filter', operation.path, `no known Site has ${filter.name}`);
    else await checkSameSites(reader, 'filter', [[filter.name, String(known)]]);
  }
  for (const name of sortableOf(reader.probe)) {
    if (memberOf(first, name) === undefined) await checkSameSites(reader, 'sort', [['sort', `${name},desc`]]);
    else await checkOwnOrder(reader, name);
  }
}

/** All logs on a page have the value of a log, and that log is among those found with it. */
async function checkOwnFilter(reader: PageReader, name: string, value: Json): Promise<void> {
  if (value === null) return;
  const page = await reader.read([[name, String(value)]], 'filter');
  if (page === undefined) return;
  const other = page.elements.find((log) => memberOf(log, name) !== value);
  reader.add('filter', page, [
    ...unless(page.elements.length > 0, `no log with ${JSON.stringify(value)}, although a log has this value`),
    ...unless(other === undefined, `${other && selfOf(other)} has a different ${name}`),
  ]);
}

/** The logs on a page are in descending order. */
async function checkOwnOrder(reader: PageReader, name: string): Promise<void> {
  const page = await reader.read([['sort', `${name},desc`]], 'sort');
  if (page === undefined) return;
  const values = page.elements.map((log) => memberOf(log, name)).filter((value) => isValue(value));
  const isOrdered = values.every((value, index) => index === 0 || value <= values[index - 1]!);
  reader.add('sort', page, unless(isOrdered, `not in descending order of ${name}: ${values.join(', ')}`));
}

async function checkSameSites(reader: PageReader, check: 'filter' | 'sort', query: Pairs): Promise<void> {
  const { contract } = reader.probe.run;
  const sized: Pairs = [...query, ['size', COMPARED]];
  const page = await reader.read(sized, check);
  const sites = await reader.probe.ask('/corsSites', sized);
  if (page === undefined || sites === null) return;
  const found = page.elements.map((log) => memberOf(log, '_links.corsSite.href'));
  const expected = elementsOf(contract.operationOf('/corsSites')!, sites).map(selfOf);
  reader.add(check, page, [
    ...unless(found.join() === expected.join(), `the logs are of ${found.join(', ')}; /corsSites has ${expected.join(', ')}`),
    ...unless(totalOf(page.body) === totalOf(sites), `${totalOf(page.body)} elements; /corsSites has ${totalOf(sites)}`),
  ]);
}

/** The log found by an id is of the Site with this id. */
export const checkSiteLog: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    const site = siteOf(probe, valueOf(values, 'id'));
    if (body === undefined || site === undefined) continue;
    const right = textOf(body, '_links.corsSite.href') === selfOf(site) && memberOf(body, 'current') === true;
    probe.findings.add('search', probe.subjectOf(exchange), unless(right, 'not the current log of the Site'));
  }
};

/** The logs of a Site are listed with the newest first, and one of them is current. */
export const checkKeptLogs: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    if (body === undefined) continue;
    const logs = elementsOf(probe.operation, body);
    const days = logs.map((log) => memberOf(log, 'datePrepared') ?? '').map(String);
    probe.findings.add('search', probe.subjectOf(exchange), [
      ...unless(
        days.every((day, index) => index === 0 || day <= days[index - 1]!),
        'not in the order of Date Prepared',
      ),
      ...unless(logs.filter((log) => memberOf(log, 'current') === true).length === 1, 'expected one current log'),
    ]);
  }
};

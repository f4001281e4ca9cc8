import { type Json, memberOf, same } from './json.js';
import { elementsOf, type Pairs, type Probe, type RequestValues, selfOf } from './probe.js';
import { checkInverted, isOrdered, type SearchCheck, siteOf, textOf, unless, valueOf, withValue } from './search-request.js';
import { endOf } from './setup-checks.js';

/** An instant before all Setups. */
const LONG_AGO = '1900-01-01T00:00:00Z';

const fromOf = (setup: Json | undefined): string => textOf(setup, 'effectivePeriod.from');
const toOf = (setup: Json | undefined): string => endOf(memberOf(setup, 'effectivePeriod.to'));

/** The current Setup belongs to the Site and is the only current one. If there is none, the response says so. */
export const checkCurrent: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const id = valueOf(values, 'id');
    const siteId = memberOf(siteOf(probe, id), 'id');
    const { exchange, status, body } = await probe.get(probe.url(values), { status: [200, 404] });
    const current = await probe.ask('/setups', [
      ['siteId', String(siteId)],
      ['current', 'true'],
    ]);
    if (body === undefined || current === null || siteId === undefined) continue;
    const elements = elementsOf(probe.run.contract.operationOf('/setups')!, current);
    const subject = probe.subjectOf(exchange);
    if (status === 404) {
      const none = unless(elements.length === 0, `404, but ${selfOf(elements[0])} is current`);
      probe.findings.add('search', subject, [...none, ...probe.problemProblems(body, 'no-current-setup')]);
      continue;
    }
    probe.findings.add('search', subject, [
      ...unless(memberOf(body, 'current') === true, '"current" is not true'),
      ...unless(memberOf(body, 'siteId') === siteId, `siteId is ${textOf(body, 'siteId')}; expected ${String(siteId)}`),
      ...unless(elements.length === 1 && same(elements[0], body), 'differs from the current Setup of the Site in /setups'),
    ]);
    const lower = await probe.run.client.request(probe.url(withValue(values, 'id', id.toLowerCase())));
    const equal = lower.body.equals(exchange.body);
    probe.findings.add('search', probe.subjectOf(lower), unless(equal, `the response differs from the one for ${id}`));
  }
};

/** From the instant of a change the newer Setup is found, just before it the older one, and before the first Setup none. */
export const checkAt: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const siteId = memberOf(siteOf(probe, valueOf(values, 'id')), 'id');
    const setups = await probe.ask('/setups', [
      ['siteId', String(siteId)],
      ['invalidated', 'false'],
    ]);
    if (memberOf(setups, 'page.totalElements') === 0) {
      probe.findings.lack('search', probe.subjectOf({ method: 'GET', url: probe.url(values) }), 'the Site has no Setup');
      continue;
    }
    const ofSite = (setup: Json): string[] => unless(memberOf(setup, 'siteId') === siteId, `siteId is ${textOf(setup, 'siteId')}`);
    const now = await checkInstant(probe, values, valueOf(values, 'at'), ofSite);
    const start = fromOf(now);
    if (Number.isNaN(Date.parse(start))) continue;
    await checkInstant(probe, values, start, (setup) => unless(same(setup, now), 'not the Setup that begins at this instant'));
    const justBefore = new Date(Date.parse(start) - 1000).toISOString().replace('.000Z', 'Z');
    await checkInstant(probe, values, justBefore, (setup) => unless(toOf(setup) === start, `the Setup before ends at ${toOf(setup)}`));
    await checkInstant(probe, values, LONG_AGO, () => ['a Setup long before the first one']);
  }
};

/** Checks the Setup at an instant, and returns it; undefined if there is none. */
async function checkInstant(
  probe: Probe,
  values: RequestValues,
  instant: string,
  problemsOf: (setup: Json) => string[],
): Promise<Json | undefined> {
  const { exchange, status, body } = await probe.get(probe.url(withValue(values, 'at', instant)), { status: [200, 404] });
  if (body === undefined) return undefined;
  const covers = fromOf(body) <= instant && toOf(body) > instant;
  const problems =
    status === 200
      ? [...unless(covers, `a Setup from ${fromOf(body)} to ${toOf(body)}`), ...problemsOf(body)]
      : probe.problemProblems(body, 'before-first-setup');
  probe.findings.add('search', probe.subjectOf(exchange), problems);
  return status === 200 ? body : undefined;
}

/** A request for several Sites finds for each what the request for one finds, or lists it as not found. */
export const checkMany: SearchCheck = async (probe, all) => {
  const [first] = all;
  if (first === undefined) return;
  const ids = [...new Set(all.map((values) => valueOf(values, 'id')))];
  const others = first.query.filter(([name]) => name !== 'id');
  const query: Pairs = [...ids.map((id): [string, string] => ['id', id]), ...others];
  const { exchange, body } = await probe.get(probe.url({ path: {}, query }));
  if (body === undefined) return;
  const setups = elementsOf(probe.operation, body);
  const notFound = memberOf(body, 'notFound');
  const listed = Array.isArray(notFound) ? notFound.map((each) => textOf(each, 'id')) : [];
  const different: string[] = [];
  for (const id of ids) {
    // A Setup among those of several Sites has its Site.
    const one = await probe.ask(probe.operation.path.replace(/In$/, ''), [['id', id], ['projection', 'site'], ...others]);
    if (one === null ? !listed.includes(id) : !setups.some((each) => same(each, one))) different.push(id);
  }
  probe.findings.add('search', probe.subjectOf(exchange), [
    ...unless(different.length === 0, `another result than in a request of its own: ${different.join(', ')}`),
    ...unless(
      setups.length + listed.length === ids.length,
      `${setups.length} Setups and ${listed.length} listed as not found, for ${ids.length} ids`,
    ),
  ]);
};

/** Checks a page as the list of all valid Setups of a Site. */
async function setupsProblems(probe: Probe, siteId: string, page: Json): Promise<string[]> {
  const elements = elementsOf(probe.operation, page);
  const all = await probe.ask('/setups', [
    ['siteId', siteId],
    ['invalidated', 'false'],
    ['size', '1'],
  ]);
  const [found, total] = [memberOf(page, 'page.totalElements'), memberOf(all, 'page.totalElements')];
  return [
    ...elements.flatMap((each) => unless(textOf(each, 'siteId') === siteId, `${selfOf(each)} belongs to another Site`)),
    ...elements.flatMap((each) => unless(memberOf(each, 'invalidated') === false, `${selfOf(each)} is invalidated`)),
    ...unless(isOrdered(elements.map(fromOf)), 'not in chronological order'),
    ...unless(all === null || found === total, `${String(found)} Setups; /setups has ${String(total)}`),
  ];
}

/** The Setups of a Site belong to it, are valid and in chronological order, and are as many as in /setups. */
export const checkSetupsOfSite: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    if (body === undefined) continue;
    probe.findings.add('search', probe.subjectOf(exchange), await setupsProblems(probe, valueOf(values, 'siteId'), body));
  }
};

/** The same by four-character id. A period finds the Setups that overlap it. */
export const checkSetupsOfPeriod: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    const siteId = memberOf(siteOf(probe, valueOf(values, 'id')), 'id');
    if (body === undefined || siteId === undefined) continue;
    probe.findings.add('search', probe.subjectOf(exchange), await setupsProblems(probe, String(siteId), body));
    for (const setup of elementsOf(probe.operation, body).slice(0, 2)) await checkOwnPeriod(probe, values, setup);
  }
  const [first] = all;
  if (first !== undefined) await checkInverted(probe, first, 'effectiveFrom', 'effectiveTo');
};

/** The period of a Setup overlaps that Setup only. */
async function checkOwnPeriod(probe: Probe, values: RequestValues, setup: Json): Promise<void> {
  const to = memberOf(setup, 'effectivePeriod.to');
  const period: Pairs = [['effectiveFrom', fromOf(setup)], ...(typeof to === 'string' ? ([['effectiveTo', to]] satisfies Pairs) : [])];
  const { exchange, body } = await probe.get(probe.url(values, period));
  if (body === undefined) return;
  const found = elementsOf(probe.operation, body);
  const right = found.length === 1 && same(found[0], setup);
  const problem = `${found.length} Setups; expected only ${selfOf(setup)}, which has this period`;
  probe.findings.add('search', probe.subjectOf(exchange), unless(right, problem));
}

import { Findings, unless } from './findings.js';
import { elementsOf, type Json, memberOf } from './json.js';
import { checkMethods } from './operation-checks.js';
import { HAL_FIELDS, type Pairs, Probe, type Run } from './probe.js';
import type { Operation } from './published-contract.js';
import { COMPONENTS, Schemas } from './schemas.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId';
const RECEIVERS = '/gnssReceivers';
/** The order of the equipment in a Setup. */
const KINDS = ['gnss receiver', 'gnss antenna', 'humidity sensor', 'clock'];
/** Ids and a type that nothing has. */
const NO_SITES = ['ZZZZ', 'QQQQ', '9999', 'Q0Q0'];
const NO_TYPE = 'no such receiver';

const memberText = (value: Json | undefined, member: string): string =>
  String(memberOf(value, member));

/** What the schema does not say about a current Setup. */
function setupProblems(setup: Json): string[] {
  const kinds = elementsOf(memberOf(setup, 'equipmentInUse')).map((each) =>
    memberText(each, 'content.id.equipmentType'),
  );
  const isOrdered = kinds.every(
    (kind, index) => KINDS.indexOf(kind) >= KINDS.indexOf(kinds[index - 1] ?? kind),
  );
  const isCurrent =
    memberOf(setup, 'current') === true && memberOf(setup, 'effectivePeriod.to') === null;
  return [
    ...unless(
      isCurrent && memberOf(setup, 'invalidated') === false,
      'not a valid Setup that is current and has no end',
    ),
    ...unless(isOrdered, `the kinds of equipment are in the order ${kinds.join(', ')}`),
    ...unless(
      memberText(setup, '_links.self.href') === memberText(setup, '_links.setup.href'),
      'self and setup are different links',
    ),
  ];
}

/** What the schema does not say about a first page of receivers. */
function receiversProblems(base: string, page: Json, isInUse: boolean): string[] {
  const { size, number, totalElements, totalPages } = Object(memberOf(page, 'page')) as Record<
    string,
    Json
  >;
  const receivers = elementsOf(memberOf(page, '_embedded.gnssReceivers'));
  const self = base + RECEIVERS;
  const isPage =
    size === 20 && number === 0 && totalPages === Math.ceil(Number(totalElements) / 20);
  return [
    ...unless(
      isPage && receivers.length === Math.min(20, Number(totalElements)),
      `wrong page: ${JSON.stringify(memberOf(page, 'page'))}`,
    ),
    ...unless(receivers.length > 0 === isInUse, `${receivers.length} receivers`),
    ...unless(memberText(page, '_links.self.href') === self, `self is not ${self}`),
    ...unless(
      memberText(page, '_links.profile.href') === `${base}/profile${RECEIVERS}`,
      `profile is not ${base}/profile${RECEIVERS}`,
    ),
    ...receivers.flatMap((each) => {
      const own = memberText(each, '_links.self.href');
      const template = memberText(each, '_links.gnssReceiver.href');
      return [
        ...unless(memberText(each, 'equipmentType') === KINDS[0], `${own} is not a receiver`),
        ...unless(
          own.startsWith(`${self}/`) && template === `${own}{?projection}`,
          `the links are ${own} and ${template}`,
        ),
      ];
    }),
  ];
}

/**
 * Checks the two lookups of the contract to the letter, whatever the OpenAPI document of the
 * service says about them.
 */
export async function checkLookups(run: Run): Promise<Findings> {
  const findings = new Findings('the two lookups');
  const published = Schemas.published();
  const documented = (path: string): Operation | undefined =>
    run.contract.operations.find((each) => each.path === path);
  const current = new Probe(run, documented(CURRENT), findings, CURRENT);
  const receivers = new Probe(run, documented(RECEIVERS), findings, RECEIVERS);
  const look = async (
    probe: Probe,
    pairs: Pairs,
    schema: string,
    problemsOf: (body: Json) => string[],
  ): Promise<Json | undefined> => {
    // A Site may have no current Setup, or share its four characters with another one.
    const expected = probe === current ? [200, 404, 409] : [200];
    const { json, status, headers, body, subject } = await probe.get(
      probe.url(pairs),
      'lookup',
      expected,
    );
    if (memberText(json, 'type').endsWith(':unknown-site'))
      findings.add('lookup', subject, ['other responses have this Site']);
    if (json === undefined || status !== 200) return undefined;
    const fields = {
      ...HAL_FIELDS,
      'content-type': 'application/hal+json;charset=UTF-8',
      'content-length': String(body.length),
    };
    findings.add('lookup', subject, [
      ...Object.entries(fields).flatMap(([name, value]) =>
        unless(headers.get(name) === value, `${name} is not "${value}"`),
      ),
      ...published.problems({ $ref: COMPONENTS + schema }, json),
      ...problemsOf(json),
    ]);
    return json;
  };
  const known = (): string[] => [...(run.values.get('fourCharacterId') ?? [])];
  let isMoreKnown = true;
  while (isMoreKnown && known().length === 0) isMoreKnown = await current.askSource();
  const sites = known().slice(0, run.isQuick ? 2 : undefined);
  const types = new Set([NO_TYPE]);
  for (const id of sites) {
    const setup = await look(current, [['id', id]], 'Setup', setupProblems);
    const inUse = elementsOf(memberOf(setup, 'equipmentInUse')).map((each) =>
      memberOf(each, 'content.id'),
    );
    for (const each of inUse)
      if (memberText(each, 'equipmentType') === KINDS[0]) types.add(memberText(each, 'type'));
  }
  for (const type of types) {
    const problemsOf = (page: Json): string[] =>
      receiversProblems(run.client.base, page, type !== NO_TYPE);
    await look(receivers, [['type', type]], 'GnssReceiverCollection', problemsOf);
  }
  if (sites.length === 0) findings.lack('lookup', 'no Site is known');
  const unknown = NO_SITES.find((each) => !sites.includes(each))!;
  await current.get(current.url([['id', unknown]]), 'lookup', [404]);
  await current.refused(current.url([]), 'id', 'lookup');
  await checkMethods(current, [['id', unknown]]);
  await checkMethods(receivers, []);
  return findings;
}

import { type Findings, unless } from './findings.js';
import { elementsOf, type Json, memberOf } from './json.js';
import { COMPONENTS, Schemas } from './schemas.js';
import type { Answer, Service } from './service.js';

const CURRENT = '/setups/search/findCurrentByFourCharacterId';
const RECEIVERS = '/gnssReceivers';
/** The order of the equipment in a Setup. */
const KINDS = ['gnss receiver', 'gnss antenna', 'humidity sensor', 'clock'];
/** Ids and a type that nothing has. */
const NO_SITES = ['ZZZZ', 'QQQQ', '9999', 'Q0Q0'];
const NO_TYPE = 'no such receiver';

/** The contract as this package has it. */
const OWN = Schemas.ofThisPackage();

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
  const total = Number(memberOf(page, 'page.totalElements'));
  const found = JSON.stringify(memberOf(page, 'page'));
  const expected = { size: 20, totalElements: total, totalPages: Math.ceil(total / 20), number: 0 };
  const receivers = elementsOf(memberOf(page, '_embedded.gnssReceivers'));
  const self = base + RECEIVERS;
  return [
    ...unless(found === JSON.stringify(expected), `page is ${found}`),
    ...unless(
      receivers.length === Math.min(20, total),
      `${receivers.length} of ${total} receivers`,
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

/** The problems of a lookup's header fields and body, by the schemas of this package. */
function answerProblems({ headers, body, json }: Answer, schema: string): string[] {
  const type = headers.get('content-type');
  const length = headers.get('content-length');
  return [
    ...unless(type === 'application/hal+json;charset=UTF-8', `content-type is ${type}`),
    ...unless(length === String(body.length), `content-length is ${length}`),
    ...OWN.problems({ $ref: COMPONENTS + schema }, json!),
  ];
}

/**
 * Checks the two lookups of the contract to the letter, whatever the OpenAPI document of the
 * service says about them: the current Setup of a Site, and the receivers of a type.
 *
 * @param most how many Sites are looked up
 */
export async function checkLookups(
  service: Service,
  findings: Findings,
  most: number,
): Promise<void> {
  for (const path of [CURRENT, RECEIVERS]) {
    const isDocumented = service.contract.operationOf(path)?.path === path;
    findings.add(path, unless(isDocumented, 'openapi.json does not have this path'));
  }
  const sites = service.valuesIn('fourCharacterId');
  if (sites.length === 0) findings.unchecked.push('no Site is known');
  const types = new Set([NO_TYPE]);
  for (const id of sites.slice(0, most)) {
    // A Site may have no current Setup, or share its four characters with another one.
    const answer = await service.get(service.url(CURRENT, [['id', id]]), findings, [200, 404, 409]);
    const { request, status, json } = answer;
    const isUnknown = memberText(json, 'type').endsWith(':unknown-site');
    findings.add(request, unless(!isUnknown, 'other answers have this Site'));
    if (status !== 200 || json === undefined) continue;
    findings.add(request, [...answerProblems(answer, 'Setup'), ...setupProblems(json)]);
    for (const each of elementsOf(memberOf(json, 'equipmentInUse')))
      if (memberText(each, 'content.id.equipmentType') === KINDS[0])
        types.add(memberText(each, 'content.id.type'));
  }
  for (const type of types) {
    const answer = await service.get(service.url(RECEIVERS, [['type', type]]), findings);
    const { request, json } = answer;
    if (json === undefined) continue;
    findings.add(request, [
      ...answerProblems(answer, 'GnssReceiverCollection'),
      ...receiversProblems(service.base, json, type !== NO_TYPE),
    ]);
  }
  const unknown = NO_SITES.find((each) => !sites.includes(each))!;
  await service.get(service.url(CURRENT, [['id', unknown]]), findings, [404]);
  const { request, json } = await service.get(service.url(CURRENT, []), findings, [400]);
  const names = elementsOf(memberOf(json, 'invalidParameters')).map((each) =>
    memberText(each, 'name'),
  );
  findings.add(request, unless(names.includes('id'), 'invalidParameters does not name id'));
}

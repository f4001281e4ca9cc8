import { type Json, memberOf } from './json.js';
import { elementsOf, type Pairs, type Probe, type RequestValues } from './probe.js';
import { checkInverted, isOrdered, type SearchCheck, textOf, unless, valueOf } from './search-request.js';

/** Changes are in chronological order and have the right sides, and a Site, a period or a kind limits them. */
export const checkChanges: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const id = valueOf(values, 'id');
    const ofSite = (change: Json): boolean => id === '' || memberOf(change, 'fourCharacterId') === id;
    const changes = await checkRequest(probe, values, [], ofSite);
    if (values !== all[0] || changes.length === 0) continue;
    const instants = changes.map((each) => textOf(each, 'at')).sort();
    const [from, to] = [instants[0]!, instants.at(-1)!];
    const period: Pairs = [
      ['from', from],
      ['to', to],
    ];
    await checkRequest(probe, values, period, (each) => ofSite(each) && textOf(each, 'at') >= from && textOf(each, 'at') < to);
    const kind = textOf(changes[0], 'equipmentType');
    const ofKind = (each: Json): boolean => ofSite(each) && memberOf(each, 'equipmentType') === kind;
    await checkRequest(probe, values, [['equipmentType', kind]], ofKind);
  }
  const [first] = all;
  if (first !== undefined) await checkInverted(probe, first, 'from', 'to');
};

/** An installation has only an after, a removal only a before, any other change both. */
function hasRightSides(change: Json): boolean {
  const kind = memberOf(change, 'kind');
  return (memberOf(change, 'before') === null) === (kind === 'installed') && (memberOf(change, 'after') === null) === (kind === 'removed');
}

/** Checks the response to one request, and returns its changes. */
async function checkRequest(probe: Probe, values: RequestValues, further: Pairs, isWanted: (change: Json) => boolean): Promise<Json[]> {
  const { exchange, body } = await probe.get(probe.url(values, further));
  if (body === undefined) return [];
  const changes = elementsOf(probe.operation, body);
  const unwanted = changes.find((each) => !isWanted(each));
  const wrong = changes.find((each) => !hasRightSides(each));
  probe.findings.add('search', probe.subjectOf(exchange), [
    ...unless(isOrdered(changes.map((each) => textOf(each, 'at'))), 'not in chronological order'),
    ...unless(wrong === undefined, `${textOf(wrong, 'kind')} at ${textOf(wrong, 'at')} does not match its "before" and "after"`),
    ...unless(unwanted === undefined, `the change at ${textOf(unwanted, 'at')} was not requested`),
  ]);
  return changes;
}

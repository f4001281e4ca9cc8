import { type Json, memberOf, same } from './json.js';
import { elementsOf, type Probe, type RequestValues, selfOf } from './probe.js';
import { type Operation, projectionsOf } from './published-contract.js';

/** Requests an operation with all known values. An item must equal the element on the page of its collection. */
export async function checkItems(probe: Probe, all: RequestValues[]): Promise<void> {
  const { findings, operation, run } = probe;
  const collection = operation.path.replace(/\/\{\w+\}$/, '');
  const elements = collection === operation.path ? [] : run.deployment.elementsOf(run.contract.operationOf(collection));
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    const element = elements.find((each) => selfOf(each) === exchange.url);
    if (body === undefined || element === undefined) continue;
    findings.add('element', probe.subjectOf(exchange), same(body, element) ? [] : [`differs from the element in ${collection}`]);
  }
}

/** Whether an operation always includes the member of a projection: a Setup among those of several Sites has its Site. */
const isAlwaysIncluded = ({ path }: Operation, projection: string): boolean => projection === 'site' && path.endsWith('In');

/** A projection adds its member to an item, or to each element of a list that has no pages. Without it, the member is absent. */
export async function checkItemProjections(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation } = probe;
  for (const name of projectionsOf(operation)) {
    for (const requested of [true, false]) {
      const { exchange, status, body } = await probe.get(probe.url(values, requested ? [['projection', name]] : []), {
        status: operation.responses.has('404') ? [200, 404] : [200],
        check: 'projection',
      });
      const subject = probe.subjectOf(exchange);
      const projected: (Json | undefined)[] = status !== 200 ? [] : operation.list === null ? [body] : elementsOf(operation, body);
      if (projected.length === 0) return findings.lack('projection', subject, 'no element to project');
      const wrong = projected.filter((each) => (memberOf(each, name) !== undefined) !== (requested || isAlwaysIncluded(operation, name)));
      const problem = `${requested ? 'missing' : 'unexpected'} ${name} in ${selfOf(wrong[0])}`;
      findings.add('projection', subject, wrong.length === 0 ? [] : [problem]);
    }
  }
}

import { elementsOf, type Given, type Probe, type Run, selfOf } from './probe.js';
import { type Json, memberOf, type Operation, projectionsOf } from './published-contract.js';

/** Answers are compared as text: the order of members counts. */
export const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The operation of a path, if there is one. */
export const operationOf = ({ contract }: Run, path: string): Operation | undefined =>
  contract.operations.find((each) => each.path === path);

/** Each value with which an operation can be asked gives what is known of it: an item is what the page of its collection had. */
export async function checkItems(probe: Probe, all: Given[]): Promise<void> {
  const { findings, operation, run } = probe;
  const collection = operation.path.replace(/\/\{\w+\}$/, '');
  const elements = collection === operation.path ? [] : run.deployment.elementsOf(operationOf(run, collection));
  for (const given of all) {
    const { exchange, body } = await probe.get(probe.url(given));
    const element = elements.find((each) => selfOf(each) === exchange.url);
    if (body === undefined || element === undefined) continue;
    findings.add('element', probe.subjectOf(exchange), same(body, element) ? [] : [`another one than in ${collection}`]);
  }
}

/** A projection adds its member to what is not a page, or to each that it lists; without it there is none. */
export async function checkItemProjections(probe: Probe, given: Given): Promise<void> {
  const { findings, operation } = probe;
  for (const name of projectionsOf(operation)) {
    for (const asked of [true, false]) {
      const { exchange, status, body } = await probe.get(probe.url(given, asked ? [['projection', name]] : []), {
        status: operation.responses.has('404') ? [200, 404] : [200],
        check: 'projection',
      });
      const subject = probe.subjectOf(exchange);
      const projected = status !== 200 ? [] : operation.list === null ? [body] : elementsOf(operation, body);
      if (projected.length === 0) return findings.lack('projection', subject, 'there is nothing to project');
      const wrong = projected.filter((each) => (memberOf(each, name) !== undefined) !== asked);
      findings.add('projection', subject, wrong.length === 0 ? [] : [`${name} is ${asked ? 'missing' : 'there'} in ${selfOf(wrong[0])}`]);
    }
  }
}

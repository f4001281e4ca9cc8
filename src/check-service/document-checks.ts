import { isObject, type Json, memberOf, parseJson, same } from './json.js';
import type { Probe, RequestValues } from './probe.js';
import { filtersOf } from './published-contract.js';

const ALPS = 'application/alps+json';
const JSON_SCHEMA = 'application/schema+json';

/** Every `name` in a value. */
function namesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return [...(typeof value.name === 'string' ? [value.name] : []), ...Object.values(value).flatMap(namesIn)];
}

/** Checks the profile of a collection: ALPS describes every filter property, and JSON Schema is the published schema. */
export async function checkProfile(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation, run } = probe;
  const collection = run.contract.operations.find((each) => each.paged && `/profile${each.path}` === operation.path);
  const element = collection?.list?.element;
  if (collection === undefined || element == null) return;
  const url = probe.url(values);
  const alps = await probe.get(url, { accept: ALPS });
  const names = new Set(namesIn(memberOf(alps.body, 'alps.descriptor')));
  const missing = filtersOf(collection).flatMap(({ name }) => (names.has(name) ? [] : [name]));
  findings.add(
    'profile',
    `${probe.subjectOf(alps.exchange)} (${ALPS})`,
    missing.length === 0 ? [] : [`no descriptor for ${missing.join(', ')}`],
  );
  const schema = await probe.get(url, { accept: JSON_SCHEMA });
  const equal = same(schema.body, run.contract.schema(element));
  findings.add(
    'profile',
    `${probe.subjectOf(schema.exchange)} (${JSON_SCHEMA})`,
    equal ? [] : [`differs from the published ${element}.json`],
  );
}

/** The OpenAPI document as published: the service puts its own URL in it. */
function withoutServers(document: Buffer): Json | undefined {
  const parsed = parseJson(document);
  if (typeof parsed === 'string' || !isObject(parsed.value)) return undefined;
  const { servers: _own, ...published } = parsed.value;
  return published;
}

/** Checks that the contract which the service serves is the published one: schemas byte for byte, the OpenAPI document but for its server. */
export async function checkContractFile(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation, run } = probe;
  const name = operation.path === '/openapi.json' ? 'openapi.json' : operation.path === '/schemas/{name}' ? values.path.name : undefined;
  const published = name === 'openapi.json' ? run.contract.openApi : run.contract.schemaFiles.get(name ?? '');
  if (published === undefined) return;
  const { exchange } = await probe.get(probe.url(values));
  const { version } = run.contract;
  const found = name === 'openapi.json' ? /"version": ?"([^"]*)"/.exec(exchange.body.toString())?.[1] : undefined;
  const problem = `another version: ${name} differs from the published one (${version}${found === undefined ? '' : `; the service has ${found}`})`;
  const equal = name === 'openapi.json' ? same(withoutServers(exchange.body), withoutServers(published)) : exchange.body.equals(published);
  findings.add('version', probe.subjectOf(exchange), equal ? [] : [problem]);
}

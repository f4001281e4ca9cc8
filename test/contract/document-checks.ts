import type { Given, Probe } from './probe.js';
import { filtersOf, isObject, type Json, memberOf } from './published-contract.js';

const ALPS = 'application/alps+json';
const JSON_SCHEMA = 'application/schema+json';

/** Every `name` in a value. */
function namesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return [...(typeof value.name === 'string' ? [value.name] : []), ...Object.values(value).flatMap(namesIn)];
}

/** The profile of a collection: in ALPS it names every property one can filter by; as JSON Schema it is the exported one. */
export async function checkProfile(probe: Probe, given: Given): Promise<void> {
  const { findings, operation, run } = probe;
  const collection = run.contract.operations.find((each) => each.paged && `/profile${each.path}` === operation.path);
  const element = collection?.list?.element;
  if (collection === undefined || element == null) return;
  const url = probe.url(given);
  const alps = await probe.get(url, { accept: ALPS });
  const names = new Set(namesIn(memberOf(alps.body, 'alps.descriptor')));
  const missing = filtersOf(collection).filter(({ name }) => !names.has(name));
  findings.add(
    'profile',
    `${probe.subjectOf(alps.exchange)} (${ALPS})`,
    missing.length === 0 ? [] : [`no descriptor ${missing.map(({ name }) => name).join(', ')}`],
  );
  const schema = await probe.get(url, { accept: JSON_SCHEMA });
  const exported = run.contract.schema(element);
  const same = JSON.stringify(schema.body) === JSON.stringify(exported);
  findings.add('profile', `${probe.subjectOf(schema.exchange)} (${JSON_SCHEMA})`, same ? [] : [`it is not ${element}.json of this copy`]);
}

/** The contract that the deployment serves is the exported one, byte by byte. */
export async function checkContractFile(probe: Probe, given: Given): Promise<void> {
  const { findings, operation, run } = probe;
  const name = operation.path === '/openapi.json' ? 'openapi.json' : operation.path === '/schemas/{name}' ? given.path.name : undefined;
  const exported = name === 'openapi.json' ? run.contract.openApi : run.contract.schemaFiles.get(name ?? '');
  if (exported === undefined) return;
  const { exchange } = await probe.get(probe.url(given));
  const { version } = run.contract;
  const found = name === 'openapi.json' ? /"version": ?"([^"]*)"/.exec(exchange.body.toString())?.[1] : undefined;
  findings.add(
    'version',
    probe.subjectOf(exchange),
    exchange.body.equals(exported)
      ? []
      : [`other version: not the bytes of ${name} of this copy (${version}${found === undefined ? '' : `; the deployment says ${found}`})`],
  );
}

import { CollectionChecks } from './collection-checks.js';
import { Deployment } from './deployment.js';
import { checkContractFile, checkProfile } from './document-checks.js';
import { HttpClient, Unreachable } from './http-client.js';
import { checkItemProjections, checkItems } from './item-checks.js';
import { checkLinks } from './link-checks.js';
import { Links } from './links.js';
import { type Given, type Pairs, Probe, type Run } from './probe.js';
import { type Operation, PublishedContract } from './published-contract.js';
import { checkAccept, checkHead, checkMethods, checkParameters, checkUnknown, valueFor } from './request-checks.js';
import { Findings } from './results.js';
import { searchCheckOf } from './search-checks.js';

/** The links among what is to be checked: those in the answers of the operations that are. */
export const LINKS = 'links';

/** What the checks are made of and over. */
export interface ContractChecksOptions {
  /** The URL of the deployment; a slash at the end does not count. */
  base: string;
  /** The folder of the exported contract. */
  contractFolder: string;
  /** Header fields that may be there beside those of the contract. */
  allowedHeaders?: string[];
  /** The ids of the operations to check, and {@link LINKS}; left out, all there is. */
  only?: string[];
}

/** How a run went, beside what it found. */
export interface Outcome {
  requests: number;
  /** Whether the deployment holds nothing. */
  empty: boolean;
}

/** The most requests that are made of the values that are known. */
const MOST_REQUESTS = 100;

/** The requests for an operation, by the values that are known of each parameter it requires; empty: there is a parameter with none. */
function requestsFor(run: Run, operation: Operation): Given[] {
  let all: Given[] = [{ path: {}, query: [] }];
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    const values = run.deployment.valuesOf(operation, parameter);
    all = all.flatMap(({ path, query }) =>
      values.map((value): Given =>
        parameter.in === 'path'
          ? { path: { ...path, [parameter.name]: value }, query }
          : { path, query: [...query, [parameter.name, value]] },
      ),
    );
  }
  return all.slice(0, MOST_REQUESTS);
}

/** A request that is well-formed, though nothing may be there: for what is told before it is looked for. */
function madeUpRequest(run: Run, operation: Operation): Given {
  const required = operation.parameters.filter((each) => each.required);
  const pairs = required.map((each): [string, string] => [each.name, valueFor(run, operation, each) ?? 'x']);
  const isIn = (place: 'path' | 'query'): Pairs => pairs.filter(([name]) => required.find((each) => each.name === name)?.in === place);
  return { path: Object.fromEntries(isIn('path')), query: isIn('query') };
}

async function checkOperation(run: Run, operation: Operation): Promise<Findings> {
  const findings = new Findings(operation.path);
  const probe = new Probe(run, operation, findings);
  const requests = requestsFor(run, operation);
  const search = searchCheckOf(operation.path);
  const [first] = requests;
  if (first === undefined) {
    const names = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
    findings.lack('status', operation.path, `nothing was found that gives a value for ${names.join(', ')}`);
  } else {
    if (search === undefined) await checkItems(probe, requests);
    else await search(probe, requests);
    if (!operation.paged) await checkItemProjections(probe, first);
    else await new CollectionChecks(probe, first).check();
    await checkAccept(probe, first);
    if (operation.path.startsWith('/profile/')) await checkProfile(probe, first);
    for (const given of requests) await checkContractFile(probe, given);
  }
  const asked = first ?? madeUpRequest(run, operation);
  await checkHead(probe, asked);
  await checkMethods(probe, asked);
  await checkParameters(probe, asked, first !== undefined);
  await checkUnknown(probe, asked);
  return findings;
}

/** A path that is no resource of the service is a 404 like any other. */
async function checkNowhere(run: Run): Promise<Findings> {
  const findings = new Findings('/noSuchPath');
  const problems = run.contract.operations[0]!.responses.get('default') ?? new Map<string, null>();
  const nowhere: Operation = {
    id: '',
    path: '/noSuchPath',
    parameters: [],
    responses: new Map([['default', problems]]),
    list: null,
    paged: false,
  };
  const probe = new Probe(run, nowhere, findings);
  const given: Given = { path: {}, query: [] };
  const { exchange, body } = await probe.get(probe.url(given), { status: [404], check: 'unknown id' });
  if (body !== undefined) findings.add('unknown id', probe.subjectOf(exchange), probe.problemProblems(body, 'not-found'));
  return findings;
}

/**
 * Checks a deployment against the exported contract, operation by operation, then every link that was found.
 * @throws {Unreachable} where it does not answer, or no longer
 */
export async function* contractChecks({
  base: url,
  contractFolder,
  allowedHeaders = [],
  only,
}: ContractChecksOptions): AsyncGenerator<Findings, Outcome> {
  const contract = new PublishedContract(contractFolder);
  const base = url.replace(/\/+$/, '');
  const client = new HttpClient();
  try {
    const { status, fault } = await client.request(`${base}/`);
    if (status === 0) throw new Unreachable(`${base} cannot be reached: ${fault}`);
    const deployment = await Deployment.discover(client, contract, base);
    const allowed = new Set(allowedHeaders.map((name) => name.toLowerCase()));
    const run: Run = { client, contract, base, allowedHeaders: allowed, deployment, links: new Links() };
    for (const operation of contract.operations) {
      if (only === undefined || only.includes(operation.id)) yield await checkOperation(run, operation);
    }
    if (only === undefined) yield await checkNowhere(run);
    if (only === undefined || only.includes(LINKS)) yield await checkLinks(run, only === undefined);
    return { requests: client.requests, empty: deployment.empty };
  } finally {
    client.close();
  }
}

import { Findings, unless } from './findings.js';
import { HttpClient, CannotCheck } from './http-client.js';
import { checkLookups } from './lookup-checks.js';
import { checkOperation } from './operation-checks.js';
import { type CheckServiceOptions, Probe, type Run } from './probe.js';
import { type Operation, type PublishedContract, readContract } from './published-contract.js';

/** Among the ids of operations, this selects the checks of the two lookups. */
export const LOOKUPS = 'lookups';
/** Among the ids of operations, this selects the checks of the links in the responses. */
export const LINKS = 'links';

/** How many links to one operation are followed: there may be as many as there are elements. */
const MOST_FOLLOWED = 20;

/** Asks a service for its contract. @throws {CannotCheck} if it has none that can be used */
async function askContract(client: HttpClient): Promise<PublishedContract> {
  const { status, body, fault } = await client.request(`${client.base}/openapi.json`);
  const url = `${client.base}/openapi.json`;
  if (status === 0) throw new CannotCheck(`Cannot reach ${client.base}: ${fault}`);
  if (status !== 200) {
    const advice =
      status >= 500
        ? 'check that the service runs, and that the proxy reaches it'
        : 'check the base URL of the service';
    throw new CannotCheck(`${url} answers with status ${status}; ${advice}`);
  }
  try {
    return readContract(body);
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new CannotCheck(`${url} is not an OpenAPI document: ${reason}`);
  }
}

/**
 * Checks a running service against the contract that it publishes: each operation, the two lookups,
 * then the links that were found. Returns a remark on the run.
 * @throws {CannotCheck} if it does not respond, or no longer does, or publishes no usable contract
 */
export async function* checkService(
  options: CheckServiceOptions,
): AsyncGenerator<Findings, string> {
  const { only } = options;
  const base = options.base.replace(/\/+$/, '');
  const client = new HttpClient(base);
  const contract = await askContract(client);
  const { operations } = contract;
  const unknown = only?.find(
    (id) =>
      id !== LOOKUPS && id !== LINKS && operations.every(({ operationId }) => operationId !== id),
  );
  if (unknown !== undefined)
    throw new CannotCheck(`${base}/openapi.json has no operationId "${unknown}"`);
  const needs = ({ parameters = [] }: Operation): number =>
    parameters.filter(({ required }) => required === true).length;
  const isSelected = ({ operationId }: Operation): boolean =>
    only === undefined || only.includes(operationId);
  // Those without required parameters come first. They show what the service has.
  const ordered = [...operations].sort((a, b) => needs(a) - needs(b));
  const run: Run = {
    ...options,
    base,
    client,
    contract,
    links: new Map(),
    values: new Map(),
    sources: ordered.filter((each) => needs(each) === 0 && !isSelected(each)),
  };
  for (const operation of ordered.filter(isSelected)) {
    const findings = new Findings(operation.path);
    await checkOperation(new Probe(run, operation, findings));
    yield findings;
  }
  if (only === undefined || only.includes(LOOKUPS)) yield await checkLookups(run);
  if (only === undefined || only.includes(LINKS)) yield await checkLinks(run);
  return (
    `${client.requests} requests to ${base}, ` +
    `which publishes version ${contract.version} of the contract`
  );
}

/** Follows the links that were found, up to a number for each operation. */
async function checkLinks(run: Run): Promise<Findings> {
  const { base, client, contract, links } = run;
  const findings = new Findings('every link');
  const followed = new Map<string, number>();
  for (const [href, { templated, foundAt }] of links) {
    const url = href.replace(/\{[?&][^}]*\}/g, '');
    const isBelow = URL.canParse(url) && (url === base || url.startsWith(`${base}/`));
    const path = url.slice(base.length).split('?')[0] || '/';
    // `/setups/search` is not the Setup whose id is "search".
    const matching = contract.operations.filter(({ pattern }) => isBelow && pattern.test(path));
    const operation = matching.find((each) => each.path === path) ?? matching[0];
    const probe = new Probe(run, operation, findings, path);
    const isRight = findings.add('links', `${href} in ${foundAt}`, [
      ...unless(isBelow, `not below ${base}`),
      ...unless(
        /\{.*\}/.test(href) === templated,
        'a template needs "templated": true, and only a template',
      ),
    ]);
    const isComplete =
      !url.includes('{') && !(templated && probe.query.some((each) => each.required));
    const count = followed.get(operation?.path ?? '') ?? 0;
    if (!isRight || !isComplete || count >= (run.isQuick ? 1 : MOST_FOLLOWED)) continue;
    followed.set(operation?.path ?? '', count + 1);
    const exchange =
      operation === undefined
        ? await client.request(url)
        : probe.examine(await client.request(url));
    // What is withheld is documented as such.
    probe.expect(exchange, 'links', operation?.responses['403'] === undefined ? [200] : [200, 403]);
  }
  return findings;
}

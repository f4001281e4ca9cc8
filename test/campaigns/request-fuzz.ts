import { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { type Budget, runCases } from './cases.js';
import { Connection, get } from './connection.js';
import type { Service } from './processes.js';
import { randomOf } from './random.js';
import { type GeneratedRequest, RequestGenerator } from './requests.js';
import { KnownValues } from './values.js';

/** How long an answer may take, in milliseconds. */
export const SLOWEST = 1000;
/** How many requests are open at once, and how often a slow one is repeated. */
const WORKERS = 6;
const REPETITIONS = 3;

const ROW = 'generated requests';

/** Reads the values that a service publishes, so that requests can name what exists. @throws {Error} if it does not publish our contract */
export async function readKnownValues(service: Service, checks: AnswerChecks): Promise<KnownValues> {
  const connection = new Connection(service.port);
  const { body } = await get(connection, '/openapi.json');
  // The service puts its own URL in the document.
  const withoutServers = (document: Buffer) => JSON.stringify({ ...(JSON.parse(document.toString()) as object), servers: null });
  if (withoutServers(body) !== withoutServers(checks.contract.openApi))
    throw new Error('the service does not publish the OpenAPI document of schemas/json');
  const known = new KnownValues();
  for (const target of [
    '/setups?size=1000',
    '/equipment?size=1000',
    '/corsSites?size=1000',
    '/changes?size=1000',
    '/setups?projection=provenance',
  ]) {
    const answer = await get(connection, target);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status}`);
    known.collect(JSON.parse(answer.body.toString()));
  }
  for (const name of checks.contract.schemaFiles.keys()) known.add('schemaName', name);
  connection.close();
  return known;
}

/**
 * Sends requests that are generated from the OpenAPI document, and checks every answer. Every second request goes to a service
 * that trusts proxies.
 */
export async function fuzzRequests(
  given: Given<string>,
  services: Service[],
  generator: RequestGenerator,
  checks: AnswerChecks,
  budget: Budget,
): Promise<void> {
  const { tally, seed, repeat } = given;
  const connections = Array.from({ length: WORKERS }, () => services.map(({ port }) => new Connection(port)));
  let worst = 0;
  let slow = 0;

  const timed = async (connection: Connection, { bytes, method }: GeneratedRequest) => {
    const begin = performance.now();
    const answer = await connection.ask(bytes, method === 'HEAD');
    return { answer, milliseconds: performance.now() - begin };
  };
  /** Whether a request is slow each time. One slow answer may also be a busy machine. */
  const isSlow = async (port: number, request: GeneratedRequest): Promise<boolean> => {
    const connection = new Connection(port);
    let fastest = Infinity;
    for (let time = 0; time < REPETITIONS && fastest > SLOWEST; time++)
      fastest = Math.min(fastest, (await timed(connection, request)).milliseconds);
    connection.close();
    return fastest > SLOWEST;
  };
  await runCases(given, budget, WORKERS, async (number, worker) => {
    const request = generator.request(randomOf(seed, 'requests', number));
    const which = number % services.length;
    const fail = (what: string): void =>
      tally.failed(
        ROW,
        `${what}\n  request: ${JSON.stringify(request.bytes.toString('latin1').slice(0, 1500))}`,
        repeat('requests', number),
      );
    tally.tried(ROW);
    try {
      const { answer, milliseconds } = await timed(connections[worker]![which]!, request);
      for (const finding of checks.findings(request, answer)) fail(finding);
      worst = Math.max(worst, milliseconds);
      if (milliseconds > SLOWEST) {
        slow++;
        if (await isSlow(services[which]!.port, request)) fail(`over ${SLOWEST} ms, ${REPETITIONS} times`);
      }
    } catch (error) {
      fail((error as Error).message);
      if (services[which]!.end() !== null)
        throw new Error(`the service died: ${services[which]!.output.stderr.slice(-2000)}`, { cause: error });
    }
  });
  for (const each of connections.flat()) each.close();
  tally.note(ROW, `slowest ${worst.toFixed(0)} ms; ${slow} over ${SLOWEST} ms at first, repeated alone`);
}

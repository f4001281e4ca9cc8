import { connect } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import type { AnswerChecks } from './answers.js';
import type { Given } from './campaign.js';
import { type Budget, runCases } from './cases.js';
import { type Answer, Connection, get, readAnswers } from './connection.js';
import type { Service } from './processes.js';
import { randomOf } from './random.js';
import type { RequestGenerator } from './requests.js';
import { type SocketCase, socketCase } from './socket-cases.js';
import type { KnownValues } from './values.js';

/** How long the end of our side of a connection may go unanswered, in milliseconds. */
const LONGEST = 5000;
/** How long to wait for a first byte before our side ends, in milliseconds. Node gives up a request whose client ends while it reads a file. */
const PATIENCE = 300;
/** The same for a second attempt: on a busy machine an answer may take longer. */
const MORE_PATIENCE = 3000;
const NO_ANSWER = 'closed without an answer';
const WORKERS = 8;

/** What came back on a connection. */
interface Exchange {
  bytes: Buffer;
  /** Whether the server closed it, or all expected answers came. */
  complete: boolean;
}

/** Sends a case on its own connection. */
function exchange(port: number, { chunks, then }: SocketCase, isComplete: (bytes: Buffer) => boolean, patience: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const received: Buffer[] = [];
    const answered = new Promise<void>((first) => {
      for (const event of ['data', 'end', 'close']) socket.once(event, () => first());
    });
    const finish = (complete: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(received), complete });
    };
    const timer = setTimeout(() => finish(false), LONGEST);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (then === 'wait' && isComplete(Buffer.concat(received))) finish(true);
    });
    socket.on('end', () => finish(true));
    // A reset is how a server refuses bytes that it will not read.
    socket.on('error', () => finish(true));
    socket.on('connect', () => {
      void (async () => {
        for (const [index, chunk] of chunks.entries()) {
          if (index > 0) await rest(1);
          if (!socket.writable) return;
          socket.write(chunk);
        }
        if (then === 'end') {
          await Promise.race([answered, rest(patience)]);
          socket.end();
        }
        if (then === 'destroy') {
          await rest(pauseOf(chunks));
          finish(true);
        }
      })();
    });
  });
}

/** A pause from 0 to 4 milliseconds that is the same each time. */
const pauseOf = (chunks: Buffer[]): number => chunks[0]!.length % 5;

/** Targets with constant answers of different lengths. */
const targetsFrom = (known: KnownValues): string[] => [
  '/health',
  '/profile',
  '/nothing-here',
  ...known
    .of('fourCharacterId')
    .slice(0, 8)
    .map((id) => `/setups/search/findCurrentByFourCharacterId?id=${id}`),
  ...Array.from({ length: 8 }, (_, id) => `/equipment/${id + 1}`),
];

/** Sends what an HTTP client would not: garbled requests, halves, pipelines, and attempts to smuggle a request past a proxy. */
export async function fuzzSockets(
  given: Given<string>,
  service: Service,
  generator: RequestGenerator,
  known: KnownValues,
  checks: AnswerChecks,
  budget: Budget,
): Promise<void> {
  const { tally, seed, repeat } = given;
  const targets = targetsFrom(known);
  const connection = new Connection(service.port);
  const wanted = new Map<string, Answer>();
  for (const target of targets) wanted.set(target, await get(connection, target));
  connection.close();

  const findingsOf = (sent: SocketCase, { bytes, complete }: Exchange): string[] => {
    const { targets: list, status, absent, silence } = sent.expected;
    if (sent.then === 'destroy') return [];
    if (!complete)
      return [`not answered or closed within ${LONGEST} ms; received ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`];
    if (absent !== undefined && bytes.includes(absent))
      return [`the hidden request was answered: ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`];
    const isHead = Buffer.concat(sent.chunks).toString('latin1', 0, 4) === 'HEAD';
    if (isHead) return bytes.toString('latin1').startsWith('HTTP/1.1 5') ? ['a status of 5xx'] : [];
    const answers = readAnswers(bytes, sent.then === 'end');
    const isBrokenOff = sent.then === 'end' && /\r\ntransfer-encoding: chunked\r\n/i.test(bytes.toString('latin1'));
    if (answers.length === 0) return silence === true || isBrokenOff ? [] : [NO_ANSWER];
    const findings = answers.flatMap((answer, number) => {
      const target = list?.[number] ?? null;
      if (target !== null && !wanted.get(target)!.body.equals(answer.body)) return [`answer ${number + 1} is not that of ${target}`];
      return checks.findings({ method: 'GET', target }, answer);
    });
    if (list !== undefined && answers.length !== list.length) findings.push(`${answers.length} answers to ${list.length} requests`);
    if (status !== undefined && !status.includes(answers[0]!.status))
      findings.push(`${answers[0]!.status}; expected ${status.join(' or ')}`);
    return findings;
  };
  await runCases(given, budget, WORKERS, async (number) => {
    const random = randomOf(seed, 'sockets', number);
    const sent = socketCase(random, number, generator.request(random).bytes, targets);
    const row = `raw sockets: ${['garbled', 'smuggling', 'pipelined', 'half, then the rest', 'half', 'abandoned'].includes(sent.kind) ? sent.kind : 'fixed answers'}`;
    const { then } = sent;
    const wantedCount = sent.expected.targets?.length ?? 0;
    const isComplete = (bytes: Buffer): boolean => {
      try {
        return readAnswers(bytes).length >= wantedCount;
      } catch {
        return false;
      }
    };
    tally.tried(row);
    const attempt = async (patience: number): Promise<string[]> => {
      try {
        return findingsOf(sent, await exchange(service.port, sent, isComplete, patience));
      } catch (error) {
        return [(error as Error).message];
      }
    };
    let findings = await attempt(PATIENCE);
    if (findings.includes(NO_ANSWER)) findings = await attempt(MORE_PATIENCE);
    const shown = JSON.stringify(Buffer.concat(sent.chunks).toString('latin1').slice(0, 1000));
    for (const finding of findings)
      tally.failed(row, `${sent.kind}: ${finding}\n  sent (then ${then}): ${shown}`, repeat('sockets', number));
    if (service.end() !== null) throw new Error(`the service died: ${service.output.stderr.slice(-2000)}`);
  });
}

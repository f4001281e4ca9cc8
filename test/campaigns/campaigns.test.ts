import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import t from 'tap';
import { openService, SAMPLE } from '../helper.js';
import { AnswerChecks } from './answers.js';
import { type Answer, Connection, get, readAnswers } from './connection.js';
import { mutateLog, readOriginals } from './mutations.js';
import { randomOf } from './random.js';
import { RequestGenerator } from './requests.js';
import { Tally } from './tally.js';
import { SteadyLoad } from './steady-load.js';
import { KnownValues } from './values.js';
import { VersionedRequests } from './versioned-network.js';

const checks = new AnswerChecks();

/** A copy of an answer with another body or other header fields. */
function changed(
  answer: Answer,
  { body = answer.body.toString(), fields = {} }: { body?: string; fields?: Record<string, string | null> },
): Answer {
  const changes: Record<string, string | null> = { 'content-length': String(Buffer.byteLength(body)), ...fields };
  const others = answer.headers.filter(([name]) => !Object.hasOwn(changes, name));
  const more = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  return { status: answer.status, headers: [...others, ...more], body: Buffer.from(body) };
}

t.test('the checks of the campaigns find nothing in answers of the service, and each fault that is put into them', async (t) => {
  const { app } = await openService(t, [SAMPLE]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const connection = new Connection((app.server.address() as AddressInfo).port);
  t.teardown(() => connection.close());
  const found = (target: string, answer: Answer): string => checks.findings({ method: 'GET', target }, answer).join('; ');

  for (const target of [
    '/setups',
    '/equipment?projection=installations',
    '/sites',
    '/sites/ALIC',
    '/sites/ALIC/log',
    '/ready',
    '/exports/sites.csv',
    '/exports/setups.ndjson',
    '/exports/changes.geojson',
    '/exports/setups.csv?x=1',
    '/nothing',
    '/setups?x=1',
  ]) {
    t.equal(found(target, await get(connection, target)), '', target);
  }
  const setups = await get(connection, '/setups');
  t.match(found('/setups', { ...setups, status: 500 }), 'status 500');
  t.match(found('/setups', changed(setups, { fields: { pragma: null } })), 'pragma');
  t.match(found('/setups', changed(setups, { fields: { 'x-frame-options': 'SAMEORIGIN' } })), 'x-frame-options');
  t.match(found('/setups', changed(setups, { fields: { server: 'x' } })), 'an additional header field');
  t.match(found('/setups', changed(setups, { fields: { 'content-length': '7' } })), 'Content-Length');
  t.match(found('/setups', changed(setups, { fields: { 'content-type': 'application/json' } })), 'the contract does not have');
  t.match(found('/setups', changed(setups, { body: '{' })), 'not JSON');
  t.match(
    found('/setups', changed(setups, { body: setups.body.toString().replace('"invalidated":false', '"invalidated":0') })),
    'not a SetupCollection',
  );
  const lines = await get(connection, '/exports/sites.ndjson');
  t.ok(lines.body.length > 1000);
  t.match(found('/exports/sites.ndjson', { ...lines, body: lines.body.subarray(0, -1) }), 'cut off');
  t.match(found('/exports/sites.ndjson', { ...lines, body: Buffer.from('{"a":\n') }), 'not JSON');
  t.match(
    found('/exports/sites.ndjson', changed(lines, { fields: { 'transfer-encoding': null } })),
    /a 200 with content-length.*without transfer/,
  );
  t.match(
    found('/setups', changed(setups, { fields: { 'content-length': null, 'transfer-encoding': 'chunked' } })),
    /without content-length/,
  );
  const sites = await get(connection, '/sites');
  t.match(found('/sites', changed(sites, { body: `${sites.body.toString()}<script>` })), 'not escaped');
  t.match(found('/sites', changed(sites, { fields: { 'content-security-policy': null } })), 'content-security-policy');
  const problem = await get(connection, '/nothing');
  t.match(found('/nothing', changed(problem, { body: problem.body.toString().replace('"status":404', '"status":400') })), 'another status');
});

t.test('answers are read from the bytes of a connection', async (t) => {
  const one = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab';
  t.strictSame(
    readAnswers(Buffer.from(`${one}${one}HTTP/1.1 204 No Content\r\n\r\n`)).map(({ status, body }) => [status, body.toString()]),
    [[200, 'ab'], [200, 'ab'], [204, '']], // prettier-ignore
  );
  t.throws(() => readAnswers(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${one}`)), /Content-Length/, 'which the service never sends');
  t.throws(() => readAnswers(Buffer.from(`${one}c`)), /cut off/);
  const streamed = Buffer.from(`${one}HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`);
  t.throws(() => readAnswers(streamed), /cut off/);
  t.equal(readAnswers(streamed, true).length, 1, 'a streamed answer that the client ended');
  t.throws(() => readAnswers(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /Content-Length/);
  const closing = `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${one}`;
  t.equal(readAnswers(Buffer.from(closing))[0]!.body.toString(), one, 'a body that ends with the connection');
  const chunked = (chunks: string): string[] =>
    readAnswers(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)).map(({ body }) => body.toString());
  t.strictSame(chunked(`2\r\nab\r\nA\r\n0123\r\n6789\r\n0\r\n\r\n${one}`), ['ab0123\r\n6789', 'ab']);
  t.strictSame(chunked('0\r\n\r\n'), ['']);
  for (const cut of ['', '2', '2\r\na', '2\r\nab\r\n', '2\r\nab\r\n0\r\n', '2\r\nab\r\n0\r\n\r']) t.throws(() => chunked(cut), /cut off/);
  for (const wrong of ['2\r\nabc\r\n', '0\r\nab', '-1\r\n', '0x2\r\nab\r\n', '\r\n', '2;a=b\r\nab\r\n'])
    t.throws(() => chunked(wrong), /chunk/, JSON.stringify(wrong));
  t.throws(
    () => readAnswers(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n')),
    /Content-Length and/,
  );
});

t.test('a seed and a number always give the same case, and other numbers give others', async (t) => {
  const generator = new RequestGenerator(checks.contract, new KnownValues());
  const originals = readOriginals();
  const request = (seed: number, number: number): string => generator.request(randomOf(seed, 'requests', number)).bytes.toString('latin1');
  const log = (seed: number, number: number): string => mutateLog(randomOf(seed, 'logs', number), originals).text;
  for (const make of [request, log]) {
    t.equal(make(1, 7), make(1, 7));
    t.ok(new Set(Array.from({ length: 100 }, (_, number) => make(1, number))).size > 80);
    t.not(make(1, 7), make(2, 7));
  }
});

t.test('a campaign passes only if something was tried and nothing failed', async (t) => {
  const tally = new Tally();
  t.notOk(tally.passed);
  tally.tried('row');
  t.ok(tally.passed);
  tally.failed('row', 'a failure that this test makes', 'nothing to repeat');
  t.notOk(tally.passed);
  t.match(tally.table(), /row +1 +1 +0$/m);
  tally.failed('row', 'another, twice', 'nothing to repeat', 2);
  tally.slowest('row', 7.4);
  tally.note('row', 'a note');
  t.match(tally.table(), /row +1 +3 +0 +7 ms  a note$/m);
});

t.test('an answer with two versions, or an older one than before in the same process, is found', async (t) => {
  const requests = new VersionedRequests(randomOf(1, 'versions', 0), 2);
  const body = (...versions: number[]): string => versions.map((version) => `{"type":"V${version}"}`).join();
  const begin = performance.now();
  t.strictSame(requests.findings(0, body(3, 3), begin), []);
  t.strictSame(requests.findings(1, body(2), performance.now()), [], 'another process');
  t.strictSame(requests.findings(0, body(2), begin), [], 'an older one that was asked for earlier');
  t.equal(requests.newest, 2);
  await rest(2);
  t.strictSame(requests.findings(0, body(2), performance.now()), ['version 2 after version 3']);
  t.match(requests.findings(0, body(3, 4), performance.now()), [/with the versions 3, 4/]);
  t.match(requests.findings(0, '{}', performance.now()), [/with the versions none/]);
});

t.test('a steady load sends requests at its rate, counts from when they were due, and counts what is wrong', async (t) => {
  const DELAY = 50;
  const server = createServer((request, response) => {
    setTimeout(() => response.writeHead(request.url === '/broken' ? 500 : 200, { 'content-length': 2 }).end('ok'), DELAY);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  let sent = 0;
  const requests = { next: () => (sent++ % 10 === 0 ? '/broken' : '/'), findings: () => (sent % 10 === 5 ? ['wrong'] : []) };
  const load = new SteadyLoad([(server.address() as AddressInfo).port], requests, { rate: 200, timeout: 5000, allowed: [200] });
  load.start();
  while (sent < 100) await rest(10);
  const seen = await load.stop();
  t.equal(seen.requests, sent);
  t.ok(seen.slowest >= DELAY);
  t.equal(seen.statuses.get(500), Math.ceil(sent / 10));
  t.equal(seen.findings.get('500: ok'), Math.ceil(sent / 10));
  t.ok(seen.findings.has('wrong'));
});

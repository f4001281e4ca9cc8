import type { AddressInfo } from 'node:net';
import t from 'tap';
import { openService, SAMPLE } from '../helper.js';
import { AnswerChecks } from './answers.js';
import { type Answer, Connection, get, readAnswers } from './connection.js';
import { mutateLog, readOriginals } from './mutations.js';
import { randomOf } from './random.js';
import { RequestGenerator } from './requests.js';
import { Tally } from './tally.js';
import { KnownValues } from './values.js';

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
  const sites = await get(connection, '/sites');
  t.match(found('/sites', changed(sites, { body: `${sites.body.toString()}<script>` })), 'not escaped');
  t.match(found('/sites', changed(sites, { fields: { 'content-security-policy': null } })), 'content-security-policy');
  const problem = await get(connection, '/nothing');
  t.match(found('/nothing', changed(problem, { body: problem.body.toString().replace('"status":404', '"status":400') })), 'another status');
});

t.test('answers are read from the bytes of a connection', async (t) => {
  const one = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab';
  t.strictSame(
    readAnswers(Buffer.from(`${one}HTTP/1.1 100 Continue\r\n\r\n${one}HTTP/1.1 204 No Content\r\n\r\n`)).map(({ status, body }) => [
      status,
      body.toString(),
    ]),
    [[200, 'ab'], [200, 'ab'], [204, '']], // prettier-ignore
  );
  t.equal(readAnswers(Buffer.from(`${one}HTTP/1.1 100 Continue\r\n\r\n`)).length, 1, 'a dropped request');
  t.throws(() => readAnswers(Buffer.from(`${one}HTTP/1.1 100 Continue\r\n`)), /cut off/);
  t.throws(() => readAnswers(Buffer.from(`${one}c`)), /cut off/);
  t.throws(() => readAnswers(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /Content-Length/);
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
  t.match(tally.table(), /row +1 +1 +0/);
});

import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { AnswerChecks } from './answers.js';
import { type Answer, Client } from './client.js';

const checks = new AnswerChecks();

/** A copy of an answer with another body or other header fields. */
function changed(
  answer: Answer,
  body = answer.body.toString(),
  fields: Record<string, string | null> = {},
): Answer {
  const changes: Record<string, string | null> = {
    'content-length': String(Buffer.byteLength(body)),
    ...fields,
  };
  const others = answer.headers.filter(([name]) => !Object.hasOwn(changes, name));
  const more = Object.entries(changes).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return { status: answer.status, headers: [...others, ...more], body: Buffer.from(body) };
}

t.test(
  'the checks of the campaigns find nothing in answers of the service, and each fault that is put into them',
  async (t) => {
    const { app } = await openService(t, [SAMPLE]);
    const client = new Client(
      Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port),
    );
    t.teardown(() => client.close());
    const found = (target: string, answer: Answer): string =>
      checks.findings('GET', target, answer).join('; ');
    const pages = ['/sites', '/sites/ALIC', '/sites/ALIC/log', '/style.css'];
    for (const target of [
      '/setups',
      '/ready',
      ...pages,
      '/exports/sites.csv',
      '/exports/setups.ndjson',
      '/nothing',
      '/setups?x=1',
    ])
      t.equal(found(target, await client.get(target)), '', target);

    const setups = await client.get('/setups');
    const body = setups.body.toString();
    t.match(found('/setups', { ...setups, status: 500 }), 'status 500');
    const fields: [Record<string, string | null>, string][] = [
      [{ pragma: null }, 'pragma'],
      [{ 'x-frame-options': 'SAMEORIGIN' }, 'x-frame-options'],
      [{ server: 'x' }, 'an additional header field'],
      [{ 'content-length': '7' }, 'Content-Length'],
      [{ 'content-length': null, 'transfer-encoding': 'chunked' }, 'without content-length'],
      [{ 'content-type': 'application/json' }, 'the contract does not have'],
    ];
    for (const [change, finding] of fields)
      t.match(found('/setups', changed(setups, body, change)), finding);
    t.match(found('/setups', changed(setups, '{')), 'not JSON');
    t.match(
      found('/setups', changed(setups, body.replace('"invalidated":false', '"invalidated":0'))),
      'not a SetupCollection',
    );
    const lines = await client.get('/exports/sites.ndjson');
    t.match(
      found('/exports/sites.ndjson', { ...lines, body: lines.body.subarray(0, -1) }),
      'cut off',
    );
    const sites = await client.get('/sites');
    t.match(found('/sites', changed(sites, `${sites.body.toString()}<script>`)), 'not escaped');
    t.match(
      found('/sites', changed(sites, '', { 'content-security-policy': null })),
      'content-security-policy',
    );
    const problem = await client.get('/nothing');
    t.match(
      found(
        '/nothing',
        changed(problem, problem.body.toString().replace('"status":404', '"status":400')),
      ),
      'another status',
    );
  },
);

import t from 'tap';
import { logText, openService, violations } from '../helper.js';

interface Body {
  _embedded: {
    findings: {
      code: string;
      fourCharacterId: string;
      section: string | null;
      line: number;
      message: string;
      text: string;
    }[];
  };
  page: { totalElements: number };
}

const receivers = [
  { type: 'R1', serial: '1', from: '2011-01-01' },
  { type: 'R2', serial: '2', from: '2012-01-01' },
];

t.test(
  'GET /findings lists what was found in the current logs, by site, code, level and time of record',
  async (t) => {
    const service = await openService(t);
    await service.importText({ id: 'AAAA', receivers }, 'a.log', new Date('2025-01-01'));
    await service.importText(
      { id: 'BBBB', receivers: [receivers[0]!] },
      'b.log',
      new Date('2025-01-03'),
    );
    const list = async (query: string): Promise<Body> => {
      const answer = await service.get(`/findings?${query}`);
      t.equal(answer.statusCode, 200, answer.body);
      t.strictSame(violations('SiteFindingCollection', answer.json()), []);
      return answer.json<Body>();
    };
    const { _embedded, page } = await list('code=open-before-later&code=several-in-use');
    t.match(_embedded.findings, [
      {
        fourCharacterId: 'AAAA',
        code: 'open-before-later',
        level: 'warning',
        line: 10,
        section: '3.1',
        advice: 'Add the date of removal.',
      },
      {
        fourCharacterId: 'AAAA',
        code: 'several-in-use',
        line: 14,
        section: '3.2',
        recordedAt: '2025-01-01T00:00:00.000Z',
      },
    ]);
    t.equal(page.totalElements, 2);
    t.equal((await list('level=info&code=open-before-later')).page.totalElements, 0);
    const since = await list('recordedSince=2025-01-02');
    t.ok(since._embedded.findings.length > 0);
    t.ok(since._embedded.findings.every(({ fourCharacterId }) => fourCharacterId === 'BBBB'));
    for (const query of ['level=bad', 'code=BAD', 'unknown=1'])
      t.equal((await service.get(`/findings?${query}`)).statusCode, 400, query);
    t.equal((await service.get('/findings?site=CCCC')).statusCode, 404);
    // A newer log without the slip.
    await service.importText(
      { id: 'AAAA', prepared: '2026-01-01', receivers: [receivers[0]!] },
      'a2.log',
    );
    t.equal((await list('code=several-in-use')).page.totalElements, 0);
  },
);

t.test(
  '/findings for people counts by code and Site, and leads to the section in the published text',
  async (t) => {
    const service = await openService(t);
    await service.importText({ id: 'AAAA', receivers }, 'a.log');
    const html = { accept: 'text/html' };
    const { body } = await service.get('/findings?code=several-in-use', html);
    t.match(body, /<a href="\.\/findings\?code=open-before-later">/);
    t.match(body, /1 finding\./);
    t.match(body, /href="\.\/sites\/AAAA\/log#section-3\.2"/);
    const log = (await service.get('/sites/AAAA/log', html)).body;
    t.match(log, /<span id="section-3\.2"><\/span>[^]{0,200}3\.2 +Receiver Type/);
  },
);

t.test('GET /findings: a finding about several lines has the last of them', async (t) => {
  const service = await openService(t);
  const text = logText({ receivers: [{ type: 'R1', serial: '1', from: '2010-01-01' }] });
  const stray = '     one line\n     another\n4.   GNSS Antenna Information';
  await service.importText(text.replace('4.   GNSS Antenna Information', stray));
  const answer = await service.get('/findings?code=ignored-line');
  const [finding] = answer.json()._embedded.findings;
  t.equal(finding.lastLine, finding.line + 1);
  const others = (await service.get('/findings?code=missing-section')).json();
  t.equal(others._embedded.findings[0].lastLine, null);
  const page = await service.get('/findings', { accept: 'text/html' });
  t.match(page.body, new RegExp(`lines ${finding.line} to ${finding.lastLine} of the file`));
});

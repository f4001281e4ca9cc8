import { serialize } from 'parse5';
import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { HtmlPage, openPage } from './html-page.js';

const service = await openService(t, [SAMPLE]);

t.test('an error page names each wrong parameter once, with its value and why', async (t) => {
  for (const [url, expected] of [
    ['/sites?sort=colour&page=-1', ['sort', 'page']],
    ['/sites/ALIC?at=lately', ['at']],
    ['/receivers?page=3', ['page']],
    ['/findings?level=bad&near=ALIC', ['level']],
    ['/findings?near=ALIC', ['near']],
    ['/changes?from=2012-01-01&to=2011-01-01', ['to']],
    ['/sites?query=x', ['query']],
  ] as const) {
    const page = await openPage(service, url, 400);
    const codes = page.named('code').map((code) => new HtmlPage(serialize(code)).text);
    // The others are the paths of links to JSON.
    const names = codes.filter((code) => !code.startsWith('/'));
    t.same(names, expected, url);
    const { searchParams } = new URL(url, 'http://localhost');
    for (const name of expected) {
      const times = page.text.split(`“${searchParams.get(name)}”`).length - 1;
      t.equal(times, 1, `${url}: ${name}`);
    }
    t.equal(page.text.split('; allowed: ').length - 1, expected.length, url);
  }
});

t.test('an error page that is not about a parameter says what is wrong', async (t) => {
  for (const [url, words] of [
    ['/sites/XXXX', 'No Site has the id XXXX.'],
    ['/findings?site=XXXX', 'No Site has the id XXXX.'],
  ] as const)
    t.equal((await openPage(service, url, 404)).text.split(words).length - 1, 1, url);
});

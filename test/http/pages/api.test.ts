import t from 'tap';
import { SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { HtmlPage, openPage } from '../html-page.js';
import { NOW } from './over.js';

/** The sample network, for the tests that change nothing. */
const sample = await openService(t, [SAMPLE], { clock: () => NOW });

t.test('/api shows the descriptions of the API as paragraphs, each once', async (t) => {
  const page = await openPage(sample, '/api');
  t.notMatch(page.text, '\\u000a');
  const texts = page.named('p').map((paragraph) => new HtmlPage(paragraph).text);
  const { info } = (await sample.get('/openapi.json')).json<{ info: { description: string } }>();
  const [first] = info.description.split('\n\n');
  t.equal(texts[0], first!.replace(/\s+/g, ' '));
  for (const entry of page.named('details')) {
    const [summary, description] = new HtmlPage(entry).texts('p');
    if (description !== undefined) t.not(summary, description, page.attribute(entry, 'id') ?? '');
  }
});

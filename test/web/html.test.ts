import { parseFragment } from 'parse5';
import fc from 'fast-check';
import t from 'tap';
import { html, joined, LINE_FEED, preformatted } from '../../src/web/page/html.js';
import { casesOf, SEED, triesMore } from '../effort.js';

t.test('interpolated values are escaped in elements and attributes', async (t) => {
  const hostile = `<b>&"'</b>`;
  t.equal(
    html`<p title="${hostile}">${hostile}</p>`.text,
    `<p title="&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;">&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;</p>`,
  );
});

t.test('an HTML parser reads any text back unchanged', triesMore, async () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          '<',
          '>',
          '&',
          '"',
          "'",
          '`',
          '=',
          '/',
          ' ',
          'a',
          '!',
          '-',
          'é',
          '&amp;',
          '</p>',
        ),
      }),
      (text) => {
        const [element] = parseFragment(html`<p title="${text}">${text}</p>`.text)
          .childNodes as unknown as [
          { tagName: string; attrs: { value: string }[]; childNodes: { value: string }[] },
        ];
        return (
          element.attrs[0]!.value === text &&
          element.childNodes.map(({ value }) => value).join('') === text
        );
      },
    ),
    { numRuns: casesOf(500), seed: SEED },
  );
});

t.test(
  'templates can be nested, lists are concatenated, and empty values give nothing',
  async (t) => {
    t.equal(
      html`${html`<i>${'<'}</i>`}${['a', html`<br />`, 0]}${null}${undefined}${false}${''}`.text,
      '<i>&lt;</i>a<br />0',
    );
    t.equal(joined(['a', '<'], ', ').text, 'a, &lt;');
    t.equal(joined([], ', ').text, '');
  },
);

t.test('control and bidirectional formatting characters are shown as escapes', async (t) => {
  t.equal(html`${'a\u0000b\u001b[31m\u202ec\u2066'}`.text, 'a\\u0000b\\u001b[31m\\u202ec\\u2066');
  t.equal(html`${preformatted('a\tb<\u0007')}${LINE_FEED}c`.text, 'a\tb&lt;\\u0007\nc');
});

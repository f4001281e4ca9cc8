import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { compare } from './compare.js';
import { lineDiff } from './line-diff.js';
import { kindOf } from './links.js';
import { type Entry, Recorder } from './recording.js';

/** Writes a recording with one file. Each entry is a key with a body. */
async function write(folder: string, bodies: Record<string, string>, mask = 'x'): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const recorder = new Recorder(join(folder, 'answers'), [[mask, 'MASKED']]);
  for (const [key, body] of Object.entries(bodies)) {
    const entry: Entry = {
      key,
      kind: kindOf(key),
      status: 200,
      parts: { body: recorder.part(Buffer.from(body)) },
    };
    await recorder.add(entry);
  }
  await recorder.close();
  return folder;
}

t.test('recordings of the same answers are equal, without what is masked', async (t) => {
  const folder = t.testdir();
  const a = await write(join(folder, 'a'), { '/sites/1': 'at port 81' }, '81');
  const b = await write(join(folder, 'b'), { '/sites/1': 'at port 4022' }, '4022');
  t.equal(await compare(a, b, false), true);
});

t.test('a changed, a new and a missing answer are differences', async (t) => {
  const folder = t.testdir();
  const a = await write(join(folder, 'a'), { '/setups/1': 'one', '/setups/2': 'two' });
  const changed = await write(join(folder, 'b'), { '/setups/1': 'one', '/setups/2': 'TWO' });
  const more = await write(join(folder, 'c'), {
    ...{ '/setups/1': 'one', '/setups/2': 'two' },
    '/n': '',
  });
  t.equal(await compare(a, changed, false), false);
  t.equal(await compare(a, more, false), false);
  t.equal(await compare(more, a, true), false);
});

t.test('a recording without files equals nothing', async (t) => {
  const folder = t.testdir({ a: {}, b: {} });
  t.equal(await compare(join(folder, 'a'), join(folder, 'b'), false), false);
});

t.test('a diff has the lines that differ, in order', async (t) => {
  t.strictSame(lineDiff('a\nb\nc', 'a\nB\nc'), ['- b', '+ B']);
  t.strictSame(lineDiff('a\nb', 'a\nb\nc\n'), ['+ c', '+ ']);
  t.strictSame(lineDiff('{"a":1,"b":2}', '{"a":1,"b":3}'), ['- "b": 2', '+ "b": 3']);
});

t.test('the kind of a URL has no ids and values', async (t) => {
  t.equal(kindOf('/setups/12?projection=site'), '/setups/:id?projection=site');
  t.equal(kindOf('/sites/ALIC/log?b=1&a=2&a=3'), '/sites/:name/log?a&b');
  t.equal(kindOf('/station/log/alic_2017.log'), '/station/log/:file');
});

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT, SAMPLE } from '../helper.js';

const MAIN = join(ROOT, 'dist', 'src', 'bundle', 'main.js');

/** Runs the command to its end in a folder. */
const convert = (folder: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH ?? '' } };
    execFile(process.execPath, [MAIN, 'convert', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

// The tests mostly wait for processes.
t.jobs = 3;

const LOG = [
  '     TEST Site Information Form (site log)',
  '0.   Form',
  '     Prepared by (full name)  : Jo Example',
  '1.   Site Identification of the GNSS Monument',
  '     Four Character ID        : TEST',
  '     Additional Information   : Ask Jo Example or sam@synthetic.example.',
  '3.   GNSS Receiver Information',
  '3.1  Receiver Type            : SYNTHETIC R1',
  '     Temperature Stabiliz.    : none',
  '11.  On-Site, Point of Contact Agency Information',
  '     Agency                   : Synthetic Survey',
  '     Primary Contact',
  '       Contact Name           : Jo Example',
  '       Telephone (primary)    : +00 1 2345',
  '',
].join('\n');

t.test('convert FILE --to FORM writes to stdout and withholds contacts, which the file says', async (t) => {
  const folder = t.testdir({ 'test.log': LOG });
  for (const form of ['text1', 'text2', 'geodesyml04', 'geodesyml05']) {
    const { code, stdout, stderr } = await convert(folder, 'test.log', '--to', form);
    t.equal(code, 0, form);
    t.match(stdout, /Withheld from publication/, form);
    t.match(stdout, /Synthetic Survey/, form);
    t.notMatch(stdout + stderr, /Jo Example|2345|@/, form);
    t.match(stdout.replace(/\s*\n\s*:?\s*/g, ' '), /Ask \(withheld\) or \(withheld\)\./, form);
  }
});

t.test('convert --publish-contacts withholds nothing, and reports what has no place', async (t) => {
  const folder = t.testdir({ 'test.log': LOG });
  const { code, stdout, stderr } = await convert(folder, 'test.log', '--to', 'geodesyml05', '--publish-contacts');
  t.equal(code, 0);
  t.match(stdout, '<gco:CharacterString>Jo Example</gco:CharacterString>');
  t.notMatch(stdout, /withheld/i);
  t.equal(stderr, 'test.log:9: info: Temperature Stabiliz.: no place in GeodesyML 0.5; value left out: "none"\n');
});

t.test('convert --output DIR writes a file for each log, and goes on after one that is rejected', async (t) => {
  const folder = t.testdir({ 'a.xml': readFileSync(join(SAMPLE, 'bor1_20170222.xml')), 'b.log': LOG, 'c.txt': 'no site log' });
  const { code, stdout, stderr } = await convert(folder, 'a.xml', 'c.txt', 'missing.log', 'b.log', '--to', 'text2', '--output', 'out/text');
  t.equal(code, 1);
  t.equal(stdout, '2 site logs written to out/text, 2 rejected\n');
  t.match(stderr, /^c\.txt:1: error: not a site log; /m);
  t.match(stderr, /^missing\.log:1: error: cannot be read \(ENOENT\)/m);
  t.strictSame(readdirSync(join(folder, 'out', 'text')).sort(), ['a.log', 'b.log']);
  t.match(readFileSync(join(folder, 'out', 'text', 'a.log'), 'utf8'), /^ {5}Nine Character ID {8}: BOR100POL$/m);
});

t.test('convert overwrites no site log that it reads', async (t) => {
  const folder = t.testdir({ 'test.log': LOG, more: { 'test.log': LOG } });
  const cases: [string[], RegExp][] = [
    [['test.log', '--to', 'text2', '--output', '.'], /"test\.log" would overwrite a FILE; choose another folder with --output/],
    [['test.log', 'more/test.log', '--to', 'text2', '--output', 'out'], /two FILEs would be written to "out\/test\.log"/],
    [['test.log', 'more/test.log', '--to', 'text2'], /several FILEs need --output DIR/],
    [['test.log'], /--to is missing: expected text1, text2, geodesyml04, geodesyml05/],
    [['test.log', '--to', 'xml'], /--to "xml": expected text1/],
    [['--to', 'text1'], /convert needs at least one FILE/],
  ];
  await Promise.all(
    cases.map(async ([args, message]) => t.match(await convert(folder, ...args), { code: 2, stdout: '', stderr: message })),
  );
  t.equal(readFileSync(join(folder, 'test.log'), 'utf8'), LOG);
  t.notOk(existsSync(join(folder, 'out')));
  writeFileSync(join(folder, 'file'), '');
  t.match(await convert(folder, 'test.log', '--to', 'text2', '--output', 'file/x'), {
    code: 3,
    stderr: /"file\/x" cannot be created \(ENOTDIR\)/,
  });
});

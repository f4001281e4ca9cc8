import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import spectralCore from '@stoplight/spectral-core';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';
import t from 'tap';
import { CONTRACT, ROOT } from './helper.js';

const DOCUMENT = join(CONTRACT, 'openapi.json');

/** The problems that Redocly's lint finds in a document, with its recommended rules. */
interface LintReport {
  totals: { errors: number; warnings: number; ignored: number };
  problems: { ruleId: string; severity: string; message: string; location: { pointer: string }[] }[];
}

const lint = (file: string): Promise<LintReport> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [join(ROOT, 'node_modules', '.bin', 'redocly'), 'lint', file, '--extends=recommended', '--format=json'];
    execFile(process.execPath, args, { env, cwd: ROOT, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      // It exits with 1 if there are errors, but still writes the report.
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(JSON.parse(stdout) as LintReport);
    });
  });

t.test("Redocly's lint finds no error and no warning in the OpenAPI document", async (t) => {
  const { totals, problems } = await lint(DOCUMENT);
  t.strictSame(
    problems.map(({ ruleId, severity, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer})`),
    [],
  );
  t.strictSame(totals, { errors: 0, warnings: 0, ignored: 0 });
});

t.test("Redocly's lint finds the errors in a broken document", async (t) => {
  const folder = t.testdir({ 'wrong.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'Wrong' }, paths: {} }) });
  const { totals } = await lint(join(folder, 'wrong.json'));
  t.ok(totals.errors > 0);
});

t.test('swagger-parser accepts the OpenAPI document and resolves all its references', async (t) => {
  await t.resolves(SwaggerParser.validate(DOCUMENT));
  await t.rejects(SwaggerParser.validate({ openapi: '3.1.0', info: { title: 'Wrong' }, paths: {} } as never));
});

/** What Spectral's rules for OpenAPI report on a document. */
async function spectral(text: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] });
  const results = await linter.run(new spectralCore.Document(text, spectralParsers.Json as never));
  return results.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

t.test("Spectral's rules for OpenAPI report nothing", async (t) => {
  t.same(await spectral(readFileSync(DOCUMENT, 'utf8')), []);
  t.ok((await spectral(JSON.stringify({ openapi: '3.1.0', info: { title: 'Wrong' }, paths: {} }))).length > 0);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { codesOf } from '../../src/site-log/finding-codes.js';
import { ROOT } from '../project-files.js';

/** The texts that an expression can be, with 1 for what is not known; null if nothing is. */
function textsOf(node: ts.Expression): (string | null)[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(({ literal }) => literal.text);
    // A prefix before another message.
    return [
      rest.at(-1) === '' && /^\W*$/.test(node.head.text + rest.join(''))
        ? null
        : [node.head.text, ...rest].join('1'),
    ];
  }
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node))
    return textsOf(node.left).flatMap((left) =>
      textsOf(node.right).map((right) => `${left}${right}`),
    );
  return [null];
}

/** The messages in a source file of findings that do not reject a log. */
function messagesIn(path: string): string[] {
  const found: (string | null)[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'add'
    ) {
      const [, level, message] = node.arguments;
      if (message !== undefined && !/error/.test(level!.getText())) found.push(...textsOf(message));
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'message')
      found.push(...textsOf(node.initializer));
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return found.filter((text) => text !== null);
}

t.test('each message that the readers can write has exactly one code', async (t) => {
  const folders = ['src/site-log', 'src/derive', 'src/import-site-logs'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? [join(ROOT, folder, name)] : [],
    ),
  );
  // The path of a file that has disappeared is not a site log, so that finding is not stored.
  const messages = files
    .flatMap(messagesIn)
    .filter((message) => message !== 'no longer exists; skipped');
  t.ok(messages.length > 20, `${messages.length} messages`);
  for (const message of messages) t.equal(codesOf(message).length, 1, message);
  t.equal(
    codesOf('Date Prepared is in the future; any log without such a date wins over this one')[0],
    'future-date',
  );
  t.strictSame(codesOf('section 3.1: unknown label "a; first value used"; line ignored'), [
    'ignored-line',
  ]);
  t.strictSame(codesOf('made up'), []);
});

import { dirname, join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { readProjectFile, sourcesIn } from './project-files.js';

/** What is imported by its name, or `all` of a module. */
type Imported = { from: string; name: string } | { from: string; all: true };

/** What a file declares, exports and imports. */
interface Module {
  exported: string[];
  /** How often each name stands in the file. */
  names: Map<string, number>;
  imports: Imported[];
  /** The modules of which it exports everything. */
  forwarded: string[];
}

/** What other packages import, and what is generated. */
const PUBLISHED = ['src/client/index.ts', 'src/client/contract-types.ts'];

const nameOf = (node: ts.Node): string => (node as ts.Identifier).text;

/** The names that a statement exports. */
function exportedBy(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
  if (!ts.isVariableStatement(statement))
    return [nameOf((statement as ts.DeclarationStatement).name!)];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    ts.isIdentifier(name) ? [name.text] : name.elements.map((each) => nameOf(each)),
  );
}

function readModule(file: string): Module {
  const source = ts.createSourceFile(file, readProjectFile(file), ts.ScriptTarget.Latest, true);
  const module: Module = { exported: [], names: new Map(), imports: [], forwarded: [] };
  const resolve = (specifier: ts.Node): string =>
    join(dirname(file), (specifier as ts.StringLiteral).text.replace(/\.js$/, '.ts'));
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) module.names.set(node.text, (module.names.get(node.text) ?? 0) + 1);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier))
        module.imports.push({ from: resolve(specifier), all: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    module.exported.push(...exportedBy(statement));
    if (ts.isImportDeclaration(statement)) {
      const from = resolve(statement.moduleSpecifier);
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined) continue;
      if (ts.isNamespaceImport(bindings)) module.imports.push({ from, all: true });
      else
        for (const { name, propertyName } of bindings.elements)
          module.imports.push({ from, name: nameOf(propertyName ?? name) });
    } else if (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined) {
      const from = resolve(statement.moduleSpecifier);
      if (statement.exportClause === undefined) module.forwarded.push(from);
      else if (ts.isNamedExports(statement.exportClause))
        for (const { name, propertyName } of statement.exportClause.elements)
          module.imports.push({ from, name: nameOf(propertyName ?? name) });
    }
  }
  return module;
}

const sources = new Map(
  ['schemas', 'src'].flatMap(sourcesIn).map((file) => [file, readModule(file)]),
);
const tests = sourcesIn('test').map(readModule);

/** All that modules import, by file and name, through those that only forward it. */
function importedBy(modules: Iterable<Module>): Set<string> {
  const found = new Set<string>();
  const add = (file: string, name: string): void => {
    const module = sources.get(file);
    if (module === undefined) return;
    if (module.exported.includes(name)) found.add(`${file} ${name}`);
    else for (const next of module.forwarded) add(next, name);
  };
  for (const { imports } of modules)
    for (const each of imports) {
      if ('name' in each) add(each.from, each.name);
      else for (const name of sources.get(each.from)?.exported ?? []) add(each.from, name);
    }
  return found;
}

const bySources = importedBy(sources.values());
const byTests = importedBy(tests);
const exported = [...sources]
  .filter(([file]) => !PUBLISHED.includes(file))
  .flatMap(([file, { exported: names }]) => names.map((name) => ({ file, name })));

t.test(
  'every export is imported by another file, or by a test of a part of its file',
  async (t) => {
    const unused = exported.filter(({ file, name }) => {
      const key = `${file} ${name}`;
      return !bySources.has(key) && !byTests.has(key);
    });
    t.strictSame(unused, []);
  },
);

t.test('what only tests import is used in its own file', async (t) => {
  const onlyTested = exported.filter(({ file, name }) => {
    const isUsedInFile = sources.get(file)!.names.get(name)! > 1;
    return !bySources.has(`${file} ${name}`) && !isUsedInFile;
  });
  t.strictSame(onlyTested, []);
});

t.test('imports are found', async (t) => {
  t.ok(bySources.size > 1000);
});

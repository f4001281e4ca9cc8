import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../project-files.js';

/** Finds code that asks the words of a finding, where it should ask its code and values. */

/** Functions that make the sentences of a finding. */
const MAKERS = new Set(['messageOf', 'adviceOn']);
/** Members that hold such a sentence. */
const MEMBERS = new Set(['message', 'advice']);
/** Methods that ask what a text says. */
const QUESTIONS = new Set(
  'startsWith endsWith includes indexOf lastIndexOf search match matchAll split charAt at'.split(
    ' ',
  ),
);
/** Methods that ask whether their argument is a certain text. */
const LOOKUPS = new Set('test exec has get includes indexOf'.split(' '));
const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** Finds questions about words in one program. */
class Finder {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** The questions in a part of a source file, as the texts of their expressions. */
  questionsIn(node: ts.Node): string[] {
    const inside: string[] = [];
    node.forEachChild((child) => void inside.push(...this.questionsIn(child)));
    return this.isQuestion(node) ? [node.getText(), ...inside] : inside;
  }

  private isQuestion(node: ts.Node): boolean {
    if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind))
      return this.isSentence(node.left) || this.isSentence(node.right);
    if (ts.isSwitchStatement(node)) return this.isSentence(node.expression);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { expression, name } = node.expression;
    if (QUESTIONS.has(name.text) && this.isSentence(expression)) return true;
    return LOOKUPS.has(name.text) && node.arguments.some((each) => this.isSentence(each));
  }

  /** Whether an expression is a sentence about a finding. */
  private isSentence(node: ts.Expression): boolean {
    if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node))
      return this.isSentence(node.expression);
    if (ts.isCallExpression(node)) {
      if (ts.isIdentifier(node.expression)) return MAKERS.has(node.expression.text);
      // Of a sentence in small letters, for example.
      const { expression } = node;
      return ts.isPropertyAccessExpression(expression) && this.isSentence(expression.expression);
    }
    if (ts.isPropertyAccessExpression(node))
      return MEMBERS.has(node.name.text) && this.isOfFinding(node.expression);
    return ts.isIdentifier(node) && this.isNameOfSentence(node);
  }

  /** Whether a name was given to a sentence. */
  private isNameOfSentence(name: ts.Identifier): boolean {
    const declaration = this.checker.getSymbolAtLocation(name)?.valueDeclaration;
    if (declaration === undefined) return false;
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer !== undefined && this.isSentence(declaration.initializer);
    if (!ts.isBindingElement(declaration)) return false;
    const member = (declaration.propertyName ?? declaration.name).getText();
    return MEMBERS.has(member) && this.isOfFinding(declaration.parent);
  }

  /** Whether a value is a finding, in one of its shapes: it has a code and lines. */
  private isOfFinding(node: ts.Node): boolean {
    const type = this.checker.getTypeAtLocation(node);
    return ['code', 'level'].every((name) => type.getProperty(name) !== undefined);
  }
}

/**
 * The questions about words of findings in the files of `src/`, with their files.
 * @param planted the text of another file of `src/`, by its path from there
 */
export function questionsAboutWords(planted: Readonly<Record<string, string>> = {}): string[] {
  const path = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as { config: object };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const others = new Map(
    Object.entries(planted).map(([name, text]) => [join(ROOT, 'src', name), text]),
  );
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => others.has(name) || fileExists(name);
  host.readFile = (name) => others.get(name) ?? readFile(name);
  const program = ts.createProgram([...fileNames, ...others.keys()], options, host);
  const finder = new Finder(program.getTypeChecker());
  return program.getSourceFiles().flatMap((file) => {
    const name = relative(join(ROOT, 'src'), file.fileName);
    if (name.startsWith('..')) return [];
    return finder.questionsIn(file).map((question) => `${name}: ${question}`);
  });
}

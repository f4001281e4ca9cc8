import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { XmlDocument, XsdValidator } from 'libxml2-wasm';
import type { Report } from '../check/checks.js';
import { CommandFailed, withFile } from './line/failures.js';

/** Validates GeodesyML against its XML schemas, with libxml2, which is an optional package. */

/** The most violations that are reported of one log. */
const MOST_VIOLATIONS = 100;

/**
 * What a violation says, without the value: it may be a contact.
 * @param message of libxml2:
 *   `Element '{urn:…}dx': '' is not a valid value of the atomic type 'xs:double'.`
 */
export function withoutValue(message: string): string {
  const element = /^Element '(?:\{[^}']*\})?([\w.-]{1,100})'/.exec(message)?.[1] ?? 'the element';
  const type = / is not a valid value of the [a-z ]*type '([\w:{}./-]{1,100})'\.\s*$/.exec(
    message,
  )?.[1];
  if (type !== undefined)
    return `the value of ${element} is not of type ${type.replace(/^\{.*\}/, '')}`;
  // What follows are names in the schema.
  const expected = /(?:This element is not expected|Missing child element).*$/s.exec(message)?.[0];
  if (expected !== undefined) return `${element}: ${expected.replace(/\{[^}]*\}|\.?\s*$/g, '')}`;
  return message.includes("not 'nillable'")
    ? `${element} may not be nil`
    : `${element} does not follow the schema`;
}

/**
 * The file whose path has the longest ending in common with a URL.
 * @param files paths from the folder of the schemas
 */
function fileOf(url: string, files: string[]): string | undefined {
  const parts = url.split('/');
  for (let from = 0; from < parts.length; from++) {
    const end = parts.slice(from).join('/');
    const file = files.find((each) => each === end || each.endsWith(`/${end}`));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The package, which is loaded only if it is needed. */
type LibXml = typeof import('libxml2-wasm');

/** @throws {CommandFailed} if the package is not installed */
async function loadLibXml(): Promise<LibXml> {
  try {
    return await import('libxml2-wasm');
  } catch {
    throw new CommandFailed(
      '--geodesyml-schemas needs the package libxml2-wasm, which is not installed',
    );
  }
}

/**
 * Lets libxml2 open the files of a folder, whatever URL it asks for, and nothing else.
 * @param files paths from the folder
 */
function provideFiles({ xmlRegisterInputProvider }: LibXml, folder: string, files: string[]): void {
  /** The part of each opened file that has not been read yet. */
  const unread: Buffer[] = [];
  xmlRegisterInputProvider({
    match: () => true,
    open: (url) => {
      const file = fileOf(url, files);
      return file === undefined ? undefined : unread.push(readFileSync(join(folder, file)));
    },
    read: (number, buffer) => {
      const content = unread[number - 1]!;
      const length = content.copy(buffer);
      unread[number - 1] = content.subarray(length);
      return length;
    },
    close: () => true,
  });
}

/** @throws {CommandFailed} if the schema in a file cannot be used */
function readValidator(
  { XmlDocument, XsdValidator }: LibXml,
  file: string,
  content: Buffer,
): XsdValidator {
  const document = XmlDocument.fromBuffer(content, { url: file });
  try {
    return XsdValidator.fromDoc(document);
  } catch (error) {
    throw new CommandFailed(
      `--geodesyml-schemas: "${file}" cannot be used: ${(error as Error).message.trim()}`,
    );
  } finally {
    document.dispose();
  }
}

/** The target namespace of a schema; empty if it has none. */
function namespaceOf(schema: Buffer): string {
  const head = schema.toString('utf8', 0, 10_000);
  return /targetNamespace="([^"]{1,200})"/.exec(head)?.[1] ?? '';
}

/** Reports at most one violation a line. */
function reportViolations(
  details: readonly { line: number; message: string }[],
  report: Report,
): void {
  const lines = new Set<number>();
  for (const { line, message } of details) {
    if (lines.has(line) || lines.size === MOST_VIOLATIONS) continue;
    lines.add(line);
    report('schema-violation', line, withoutValue(message));
  }
}

/**
 * Reports what violates the schema of a log's version.
 * @param validators by the namespaces of the versions
 */
function validate(
  { XmlValidateError }: LibXml,
  validators: ReadonlyMap<string, XsdValidator>,
  document: XmlDocument,
  report: Report,
): void {
  const { namespaceUri } = document.root;
  const validator = validators.get(namespaceUri);
  if (validator === undefined) {
    report('schema-violation', 1, 'there is no schema for the namespace of this log', namespaceUri);
    return;
  }
  try {
    validator.validate(document);
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    reportViolations(error.details, report);
  }
}

/**
 * Loads the schemas in a folder. Imported schemas are found there by the ends of their URLs;
 * nothing is loaded from elsewhere.
 * @returns a function that reports what violates the schema of a log's version. It reports nothing
 *   for text.
 * @throws {CommandFailed} if the folder has no GeodesyML schemas, or the package is not installed
 */
export async function openSchemas(
  folder: string,
): Promise<(content: Buffer, report: Report) => void> {
  const libXml = await loadLibXml();
  const found = withFile(`--geodesyml-schemas "${folder}" cannot be read`, () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  const files = found.filter((file) => file.endsWith('.xsd')).sort();
  provideFiles(libXml, folder, files);
  const validators = new Map<string, XsdValidator>();
  for (const file of files.filter((each) => /(^|\/)geodesyML\.xsd$/.test(each))) {
    const content = readFileSync(join(folder, file));
    validators.set(namespaceOf(content), readValidator(libXml, file, content));
  }
  if (validators.size === 0)
    throw new CommandFailed(`--geodesyml-schemas "${folder}" has no geodesyML.xsd`);

  return (content, report) => {
    let document: XmlDocument;
    try {
      document = libXml.XmlDocument.fromBuffer(content);
    } catch {
      return;
    }
    try {
      validate(libXml, validators, document, report);
    } finally {
      document.dispose();
    }
  };
}

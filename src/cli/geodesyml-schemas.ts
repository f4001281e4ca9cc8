import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { XmlDocument, XsdValidator } from 'libxml2-wasm';
import type { Report } from '../check/checks.js';
import { reasonOf } from '../system-error.js';
import { CommandFailed } from './settings.js';

/** Validates GeodesyML against its XML schemas, with libxml2, which is an optional package. */

/** The most violations that are reported of one log. */
const MOST_VIOLATIONS = 100;

type Libxml2 = typeof import('libxml2-wasm');

/** How many parts at the end of a path are those of a URL. */
function commonParts(path: string, url: string[]): number {
  const parts = path.split('/');
  let count = 0;
  while (count < parts.length && parts.at(-1 - count) === url.at(-1 - count)) count += 1;
  return count;
}

/**
 * What a violation says, without the value: it may be a contact.
 * @param message of libxml2: `Element '{urn:…}dx': '' is not a valid value of the atomic type 'xs:double'.`
 */
export function withoutValue(message: string): string {
  const element = /^Element '(?:\{[^}']*\})?([\w.-]{1,100})'/.exec(message)?.[1] ?? 'the element';
  const type = / is not a valid value of the [a-z ]*type '([\w:{}./-]{1,100})'\.\s*$/.exec(message)?.[1];
  if (type !== undefined) return `the value of ${element} is not of type ${type.replace(/^\{.*\}/, '')}`;
  // What follows are names in the schema.
  const expected = /(?:This element is not expected|Missing child element).*$/s.exec(message)?.[0];
  if (expected !== undefined)
    return `${element}: ${expected
      .replaceAll(/\{[^}]*\}/g, '')
      .trim()
      .replace(/\.$/, '')}`;
  return message.includes("not 'nillable'") ? `${element} may not be nil` : `${element} does not follow the schema`;
}

/** The schemas in a folder. Imports are looked up there, by the ends of their URLs; nothing is loaded from elsewhere. */
export class GeodesymlSchemas {
  private readonly validators = new Map<string, XsdValidator>();

  private constructor(
    private readonly libxml2: Libxml2,
    private readonly folder: string,
    private readonly files: string[],
  ) {
    const open = new Map<number, { content: Buffer; position: number }>();
    let next = 1;
    libxml2.xmlRegisterInputProvider({
      match: () => true,
      open: (url) => {
        const path = this.find(url);
        if (path === undefined) return undefined;
        open.set(next, { content: this.read(path), position: 0 });
        return next++;
      },
      read: (file, buffer) => {
        const { content, position } = open.get(file)!;
        const piece = content.subarray(position, position + buffer.length);
        buffer.set(piece);
        open.set(file, { content, position: position + piece.length });
        return piece.length;
      },
      close: (file) => open.delete(file),
    });
  }

  /** @throws {CommandFailed} if the folder has no schemas of GeodesyML, or the package is not installed */
  static async open(folder: string): Promise<GeodesymlSchemas> {
    const libxml2 = await import('libxml2-wasm').catch(() => {
      throw new CommandFailed('--geodesyml-schemas needs the package libxml2-wasm, which is not installed');
    });
    let files: string[];
    try {
      files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    } catch (error) {
      throw new CommandFailed(`--geodesyml-schemas "${folder}" cannot be read: ${reasonOf(error)}`);
    }
    const schemas = new GeodesymlSchemas(libxml2, folder, files.filter((file) => file.endsWith('.xsd')).sort());
    for (const file of schemas.files.filter((each) => /(^|\/)geodesyML\.xsd$/.test(each))) schemas.add(file);
    if (schemas.validators.size === 0) throw new CommandFailed(`--geodesyml-schemas "${folder}" has no geodesyML.xsd`);
    return schemas;
  }

  private read(file: string): Buffer {
    return readFileSync(join(this.folder, file));
  }

  /** The file whose path ends most like a URL. */
  private find(url: string): string | undefined {
    const parts = url.split('/');
    const counts = this.files.map((file) => commonParts(file, parts));
    const most = Math.max(...counts);
    return most === 0 ? undefined : this.files[counts.indexOf(most)];
  }

  private add(file: string): void {
    const content = this.read(file);
    const namespace = /targetNamespace="([^"]{1,200})"/.exec(content.toString('utf8', 0, 10_000))?.[1] ?? '';
    const document = this.libxml2.XmlDocument.fromBuffer(content, { url: file });
    try {
      this.validators.set(namespace, this.libxml2.XsdValidator.fromDoc(document));
    } catch (error) {
      throw new CommandFailed(`--geodesyml-schemas: "${file}" cannot be used: ${(error as Error).message.trim()}`);
    } finally {
      document.dispose();
    }
  }

  /** Reports what violates the schema of a log's version. @param content of a log that could be read; nothing is reported of text */
  check(content: Buffer, report: Report): void {
    let document: XmlDocument;
    try {
      document = this.libxml2.XmlDocument.fromBuffer(content);
    } catch {
      return;
    }
    try {
      const { namespaceUri } = document.root;
      const validator = this.validators.get(namespaceUri);
      if (validator === undefined) report('schema-violation', 1, 'there is no schema for the namespace of this log', namespaceUri);
      else validator.validate(document);
    } catch (error) {
      if (!(error instanceof this.libxml2.XmlValidateError)) throw error;
      const lines = new Set<number>();
      for (const { line, message } of error.details) {
        if (lines.has(line) || lines.size === MOST_VIOLATIONS) continue;
        lines.add(line);
        report('schema-violation', line, withoutValue(message));
      }
    } finally {
      document.dispose();
    }
  }
}

import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { Place } from '../../findings/finding.js';
import { type Findings, reject } from '../../findings/findings.js';

/** The parts of an XML element that are needed to read a site log. */
export interface Element {
  name: string;
  namespace: string;
  line: number;
  /** The line on which it ends. */
  lastLine: number;
  /**
   * What became of its text: it was read, or a finding says why not, also about all elements
   * inside; null: nothing yet.
   */
  use: 'read' | 'reported' | null;
  /** Which section or item it is the element of, if it was read as one. */
  place: Pick<Place, 'section' | 'item'> | null;
  /** The text directly inside the element; empty if it has `xsi:nil="true"`. */
  text: string;
  children: Element[];
  /** The attributes `id`, `href`, `nil` and `codeListValue`, by local name. */
  attributes: Readonly<Record<string, string>>;
}

/** The local names of the attributes that are needed. */
const ATTRIBUTES = new Set(['id', 'href', 'nil', 'codeListValue']);
/** The attributes of most elements. */
const NO_ATTRIBUTES: Element['attributes'] = Object.freeze({});

/** The deepest nesting of elements that is accepted; the GeodesyML schemas need 12. */
const MAXIMUM_DEPTH = 64;

/** Whether the text is XML, and must therefore be GeodesyML to be read. */
export const isXml = (text: string): boolean => /^\s*</.test(text.slice(0, 1000));

/**
 * Where the first ampersand is that does not start an entity; -1 if there is none. The parser
 * reports such an ampersand only at the next semicolon or at the end of the text.
 */
function bareAmpersandIn(text: string): number {
  const plain = text.replace(
    /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$)/g,
    (passage) => passage.replace(/[^\r\n]/g, ' '),
  );
  return plain.search(/&(?!(#\d+|#x[0-9a-f]+|\w+);)/i);
}

const lineAt = (text: string, index: number): number =>
  text.slice(0, index).split(/\r\n|\n|\r/).length;

/** The attributes of an element that are needed. */
function attributesOf({ attributes }: SaxesTagNS): Element['attributes'] {
  let needed: Record<string, string> | undefined;
  // Unlike `Object.values`, this allocates nothing if there are none.
  for (const name in attributes) {
    const { local, value } = attributes[name]!;
    if (ATTRIBUTES.has(local)) (needed ??= {})[local] = value;
  }
  return needed ?? NO_ATTRIBUTES;
}

/** An element that begins. */
const elementOf = (
  name: string,
  namespace: string,
  line: number,
  attributes: Element['attributes'],
): Element => ({
  name,
  namespace,
  line,
  lastLine: line,
  use: null,
  place: null,
  text: '',
  children: [],
  attributes,
});

/**
 * Parses an XML document.
 * @returns its elements in the order of the document; the first is the root
 * @throws {SiteLogRejected} if it is malformed, has a DOCTYPE or is nested too deeply
 */
export function parseXml(text: string, findings: Findings): Element[] {
  const recognised = /egeodesy|igsSiteLog/.test(text);
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const elements: Element[] = [];
  const open: Element[] = [elementOf('', '', 1, NO_ATTRIBUTES)];
  parser.on('error', ({ message }) => {
    const ampersand = bareAmpersandIn(text);
    const isCause = ampersand >= 0 && ampersand < parser.position;
    const line = isCause ? lineAt(text, ampersand) : parser.line;
    const values = { problem: message, text: isCause ? '&' : '' };
    reject(findings, 'malformed-xml', { line }, values, recognised);
  });
  parser.on('doctype', (text) => {
    const values = { isDoctype: true, text } as const;
    reject(findings, 'malformed-xml', { line: parser.line }, values, recognised);
  });
  parser.on('opentag', (tag) => {
    if (open.length > MAXIMUM_DEPTH) {
      const values = { deepest: MAXIMUM_DEPTH, text: tag.name };
      reject(findings, 'malformed-xml', { line: parser.line }, values, recognised);
    }
    const { local: name, uri: namespace } = tag;
    const element = elementOf(name, namespace, parser.line, attributesOf(tag));
    elements.push(element);
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const onText = (chunk: string): void => {
    open.at(-1)!.text += chunk;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const element = open.pop()!;
    element.lastLine = parser.line;
    if (element.attributes.nil === 'true' || element.attributes.nil === '1') element.text = '';
  });
  parser.write(text).close();
  return elements;
}

/** The first child element with a name. */
export const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((each) => each.name === name);

/** A tree of XML elements that is built by paths, and its text. */

/** An element with either a text or other elements. */
export interface Node {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Node[];
}

/** An element. A name without a prefix is one of GeodesyML. */
export const node = (name: string, attributes: Record<string, string> = {}, text = ''): Node => ({
  name: name.includes(':') ? name : `geo:${name}`,
  attributes,
  text,
  children: [],
});

/** Adds an element inside another, and returns it. */
export function append(parent: Node, child: Node): Node {
  parent.children.push(child);
  return child;
}

/**
 * The element at the end of a path (`gmd:phone/gmd:voice[2]`), which is added with all before it
 * that are missing; one with `[*]` is always added. Elements must be asked for in the order of the
 * document.
 */
export function at(parent: Node, path: string): Node {
  return path.split('/').reduce((inside, step) => {
    const [, name, position = '1'] = /^([^[]+)(?:\[([\d*])\])?$/.exec(step)!;
    if (position === '*') return append(inside, node(name!));
    const same = inside.children.filter((each) => each.name === node(name!).name);
    while (same.length < Number(position)) same.push(append(inside, node(name!)));
    return same[Number(position) - 1]!;
  }, parent);
}

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const escapeAttribute = (text: string): string =>
  escape(text).replace(/"/g, '&quot;').replace(/\s/g, ' ');

/** The text of an element, indented. */
export function renderNode({ name, attributes, text, children }: Node, indent = ''): string {
  const start = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join('')}`;
  if (children.length > 0) {
    const content = children.map((child) => renderNode(child, `${indent}  `)).join('');
    return `${start}>\n${content}${indent}</${name}>\n`;
  }
  return text === '' ? `${start}/>\n` : `${start}>${escape(text)}</${name}>\n`;
}

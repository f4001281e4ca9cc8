import { isNearMiss } from '../near-miss.js';
import { isAboutContacts } from './contact-lines.js';
import { isUnknownLabel, type Part } from './lines.js';

/**
 * Takes the lines of a part whose labels are almost one of the form for lines with that label, if
 * the part has no other line for it. Contacts keep all their lines in any case.
 */
export function readSimilarLabels({ labels, lines }: Part): void {
  if (labels === null || isAboutContacts(labels)) return;
  const unknown = lines.filter(isUnknownLabel);
  if (unknown.length === 0) return;
  const { names, section } = labels;
  const seen = new Set(lines.flatMap(({ kind, key }) => (kind === 'label' ? names.get(key)! : [])));
  const missing = [...names].filter(([, [name]]) => !seen.has(name!));
  const meant = unknown.map(({ key }) => missing.filter(([each]) => isNearMiss(each, key)));
  const namesIn = meant.map((labels) => new Set(labels.map(([, [name]]) => name!)));
  const candidates = Map.groupBy(
    namesIn.flatMap((each) => [...each]),
    (name) => name,
  );
  for (const [index, line] of unknown.entries()) {
    const [name, ...others] = namesIn[index]!;
    const isOnly = name !== undefined && candidates.get(name)!.length === 1;
    if (!isOnly || others.length > 0) continue;
    line.kind = 'label';
    line.key = meant[index]![0]![0];
    line.readAs = section.rows[name]!.label ?? name;
  }
}

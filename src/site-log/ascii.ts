import { BlockSplitter } from './ascii-blocks.js';
import type { TextSectionName } from './ascii-labels.js';
import { Fields } from './fields.js';
import { readDatePrepared, readIdentification } from './identification.js';
import { Items } from './items.js';
import { KIND_OF_SECTION, RECORD_VALUES } from './record-values.js';
import type { Findings, SiteLog } from './site-log.js';

/** Whether the text is an IGS site log: it has the title line, or a label that only site logs have. */
export function isAsciiSiteLog(text: string): boolean {
  const head = text.slice(0, 20_000);
  return /site information form/i.test(head) || /^[ \t]{0,20}(four|nine) character id[ \t]{0,20}:/im.test(head);
}

/** Splits the text of a site log into blocks. @param onBlock receives each, except a second one of a section that does not repeat */
export function readAsciiBlocks(
  text: string,
  findings: Findings,
  isWanted: ConstructorParameters<typeof BlockSplitter>[1],
  onBlock: (section: TextSectionName, block: Fields) => void,
): void {
  const once = new Set<TextSectionName>();
  const splitter = new BlockSplitter(findings, isWanted, ({ name, section: { repeats, number } }, block) => {
    if (!repeats && once.has(name)) findings.add(block.line, 'warning', `duplicate section ${number}; first section used`);
    else onBlock(name, block);
    once.add(name);
  });
  // A null character is damage, and no text in PostgreSQL can have it.
  const lines = text.replaceAll('\0', '\ufffd').split(/\r\n|\n|\r/);
  lines.forEach((line, index) => splitter.line(line, index + 1));
  splitter.end();
}

/**
 * Reads what the record of a Site needs from an IGS site log in text format.
 * @throws {SiteLogRejected} if the log has no four-character or nine-character id
 */
export function readAsciiSiteLog(text: string, findings: Findings): SiteLog {
  const sections = new Map<TextSectionName, Fields>();
  const items = new Items();
  readAsciiBlocks(
    text,
    findings,
    (name) => RECORD_VALUES[name] ?? null,
    (name, block) => {
      const kind = KIND_OF_SECTION[name];
      if (kind === undefined) sections.set(name, block);
      else items.add(kind, block);
    },
  );
  const section = (name: TextSectionName): Fields => sections.get(name) ?? new Fields(1, findings);
  return {
    form: section('siteIdentification').has('nineCharacterId') ? 'IGS site log 2.0' : 'IGS site log 1',
    datePrepared: readDatePrepared(section('formInformation')),
    identification: readIdentification(section('siteIdentification'), section('siteLocation')),
    ...items.read,
  };
}

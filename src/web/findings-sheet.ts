import { adviceOn, explanationOf, messageOf, nameOfCode } from '../findings/codes.js';
import { textsOf } from '../findings/findings.js';
import { conflictsOf } from '../derive/conflicts.js';
import { href, PATHS } from '../links.js';
import type { Device } from '../store/read/devices/devices.js';
import type { Installation } from '../store/read/devices/installations.js';
import type { SiteRecord } from '../store/read/sites/sites.js';
import { renderDownloads } from './downloads.js';
import { findingLink, placeOfFinding } from './finding-links.js';
import { fact } from './page/folding.js';
import { type Content, type Html, html, joined, list } from './page/html.js';
import { type Page, section, shownId, siteLink } from './page/layout.js';
import { table } from './page/table.js';
import { capitalized, counted, kindName, siteInWords, typeWords, useWords } from './page/words.js';

/** The content of the sheet for the operator of a Site. */
interface FindingsSheetView {
  record: Pick<SiteRecord, 'site' | 'shortestId' | 'siteLog' | 'findings'>;
  /** The lines of the log that may be shown, by their numbers. */
  lines: ReadonlyMap<number, string>;
  /** The devices of the Site that are in conflict, with their installations. */
  devices: Device[];
  /** The numbers of the Sites that are probably the same station. */
  same: ReadonlySet<number>;
  /** The four characters that several Sites have. */
  shared: ReadonlySet<string>;
  /** Whether the page of the log shows the file as it was imported. */
  isFileShown: boolean;
}

/** The relative path from the page to the root of the service. */
export const ROOT = '../..';

type Finding = SiteRecord['findings'][number];

/** Whether the text of a finding says what is missing, and is not in the log. */
const namesMissing = ({ code }: Finding): boolean => code === 'missing-value';

/** The line of the log that a finding is about, and what it quotes besides. */
function logText(finding: Finding, lines: FindingsSheetView['lines']): Content {
  const texts = textsOf(finding);
  const known = lines.get(finding.line);
  const quoted = texts !== '' && !namesMissing(finding) && !(known ?? '').includes(texts);
  if (known === undefined && !quoted) return null;
  return [
    known !== undefined && html`<code>${known}</code>`,
    known !== undefined && quoted && html`<br />`,
    quoted && html`<q>${texts}</q>`,
  ];
}

/** The parts of a sheet that depend on where it is shown. */
interface SheetParts {
  /** The lines of the log that may be shown, by their numbers. */
  lines: ReadonlyMap<number, string>;
  /** Where a finding is. */
  where: (finding: Finding) => Content;
  /** What the ids of sections begin with, if a document has several sheets. */
  prefix?: string;
}

/** The findings of one level. */
function findingsTable(findings: Finding[], { lines, where }: SheetParts): Html {
  return table<Finding>(
    [
      ['Where', where],
      [
        'What',
        (finding) =>
          html`<strong>${nameOfCode(finding.code)}</strong>:
            ${messageOf(finding)}${namesMissing(finding) && `: ${textsOf(finding)}`}`,
        { isHeader: true, name: 'what' },
      ],
      ['In the log', (finding) => logText(finding, lines)],
      ['What to write instead', adviceOn],
    ],
    findings,
  );
}

/** A time of a device at this Site, and the times elsewhere that contradict it. */
interface Conflict {
  device: Device;
  here: Installation;
  others: Installation[];
}

/** The conflicts of devices at a Site. */
const conflictsAt = (siteId: number, devices: Device[], same: ReadonlySet<number>): Conflict[] =>
  devices.flatMap((device) => {
    const installations = device.installations ?? [];
    return installations
      .filter((each) => each.siteId === siteId)
      .map((here) => ({
        device,
        here,
        others: conflictsOf(here, installations).filter((other) => !same.has(other.siteId)),
      }))
      .filter(({ others }) => others.length > 0);
  });

/** The Sites that are probably the same station, in place of their devices. */
function sameStationSection(
  devices: Device[],
  { same, shared }: Pick<FindingsSheetView, 'same' | 'shared'>,
): Content {
  const others = devices
    .flatMap(({ installations }) => installations ?? [])
    .filter(({ siteId }) => same.has(siteId));
  const ids = new Set(
    others.map(
      ({ fourCharacterId, nineCharacterId }) =>
        nineCharacterId ?? shownId(fourCharacterId, null, shared),
    ),
  );
  return section(
    'conflicts',
    'Serial numbers also listed at other Sites',
    html`<p>
      Only at
      ${joined(
        [...ids].map((id) => siteLink(ROOT, id)),
        ', ',
      )},
      which is probably the same station. If so, retire one of the two Sites.
    </p>`,
  );
}

/** The table of the serial numbers that are also in the logs of other Sites. */
function conflictSection({ record, devices, same, shared }: FindingsSheetView): Content {
  const conflicts = conflictsAt(record.site.id, devices, same);
  if (conflicts.length === 0 && same.size > 0) return sameStationSection(devices, { same, shared });
  if (conflicts.length === 0)
    return section(
      'conflicts',
      'Serial numbers also listed at other Sites',
      html`<p>No device of this Site is listed at another Site at the same time.</p>`,
    );
  const rows = table<Conflict>(
    [
      [
        'Serial number',
        ({ device: { identity } }) => identity.value.serialNumber ?? 'unknown',
        { isHeader: true },
      ],
      [
        'Device',
        ({ device: { equipmentType, identity } }) =>
          `${capitalized(kindName(equipmentType))} ${typeWords(identity.value.type)}`,
      ],
      ['In this log', ({ here }) => useWords(here.period)],
      [
        'In other logs',
        ({ others }) =>
          list(
            others.map(
              ({ fourCharacterId, nineCharacterId, period }) =>
                html`${siteLink(ROOT, shownId(fourCharacterId, nineCharacterId, shared), nineCharacterId)},
                ${useWords(period)}`,
            ),
          ),
      ],
    ],
    conflicts,
  );
  return section('conflicts', 'Serial numbers also listed at other Sites', [
    html`<p>
      A device can only be in one place. Correct the serial number or a date, here or there.
    </p>`,
    rows,
  ]);
}

/** How many findings there are. */
function summaryWords({ siteLog, findings }: FindingsSheetView['record']): string {
  if (siteLog === null) return 'The site log was withdrawn.';
  if (findings.length === 0) return 'No findings in the log.';
  return `${counted(findings.length, 'finding')} in the log. Lines are those of the file.`;
}

/** The findings of a log by level, the worst first, with what is between the levels. */
export function findingsSections(
  findings: Finding[],
  parts: SheetParts,
  between: Content = null,
): Content {
  const warnings = findings.filter(({ level }) => level !== 'info');
  const deviations = findings.filter(({ level }) => level === 'info');
  const { prefix = '' } = parts;
  return [
    warnings.length > 0 &&
      section(`${prefix}warnings`, 'To correct: values that are lost or probably wrong', [
        findingsTable(warnings, parts),
      ]),
    between,
    deviations.length > 0 &&
      section(`${prefix}deviations`, 'To improve: deviations from the form', [
        findingsTable(deviations, parts),
      ]),
  ];
}

/** What the codes on the sheet mean. */
export function meaningsSection(findings: Finding[], prefix = ''): Html {
  const codes = [...new Set(findings.map(({ code }) => code))];
  return section(
    `${prefix}meanings`,
    'What these findings mean',
    html`<dl class="facts">
      ${codes.map((code) => fact(nameOfCode(code), explanationOf(code), true))}
    </dl>`,
  );
}

/** The sheet with what is to correct in the log of a Site, to print or to mail to its operator. */
export function renderFindingsSheet(view: FindingsSheetView): Page {
  const { record } = view;
  const { site, shortestId, siteLog, findings } = record;
  const page = href(ROOT, PATHS.site, { site: shortestId });
  const siteWords = siteInWords(shortestId, site.name);
  const { lines, isFileShown } = view;
  const where = (finding: Finding): Html =>
    findingLink(ROOT, placeOfFinding(finding, record, isFileShown));
  return {
    root: ROOT,
    title: `Findings in the site log of ${shortestId}`,
    section: 'findings',
    json: [
      {
        title: 'These findings, for clients that do not ask for HTML',
        href: href(ROOT, PATHS.findings, { query: { site: shortestId, size: 1000 } }),
      },
    ],
    content: [
      html`<dl class="facts">
        ${fact('Site', html`<a href="${page}">${siteWords}</a>`)}
        ${fact('File', siteLog === null ? 'withdrawn' : `${siteLog.name}, ${siteLog.form}`)}
        ${siteLog !== null && fact('Prepared', siteLog.datePrepared ?? 'date unknown')}
        ${siteLog !== null && fact('Imported', siteLog.importedAt.slice(0, 10))}
      </dl>`,
      html`<p role="status">
        ${summaryWords(record)} ${!isFileShown && 'Contacts are not quoted.'}
      </p>`,
      findingsSections(findings, { lines, where }, conflictSection(view)),
      findings.length > 0 && meaningsSection(findings),
      findings.length > 0 &&
        renderDownloads(ROOT, 'findings', { site: shortestId }, 'these findings'),
    ],
  };
}

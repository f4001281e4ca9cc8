import { checkChanges } from './change-checks.js';
import { memberOf, same } from './json.js';
import { elementsOf, selfOf } from './probe.js';
import { checkKeptLogs, checkSiteLog } from './site-log-checks.js';
import { type SearchCheck, siteOf, textOf, unless, valueOf } from './search-request.js';
import { checkAt, checkCurrent, checkMany, checkSetupsOfPeriod, checkSetupsOfSite } from './setup-search-checks.js';

/** The Site found by an id equals the one in the collection. */
const checkSite: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    const site = siteOf(probe, valueOf(values, 'id'));
    if (body === undefined || site === undefined) continue;
    probe.findings.add('search', probe.subjectOf(exchange), unless(same(body, site), 'differs from the Site in /corsSites'));
  }
};

/** Each Site had equipment of the type in use at the instant. */
const checkSitesWithType: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    for (const site of elementsOf(probe.operation, body).slice(0, 2)) {
      const id = textOf(site, 'fourCharacterId');
      const setup = await probe.ask('/setups/search/findAtByFourCharacterId', [
        ['id', id],
        ['at', valueOf(values, 'at')],
      ]);
      const inUse = memberOf(setup, 'equipmentInUse');
      const has = Array.isArray(inUse) && inUse.some((each) => memberOf(each, 'content.id.type') === valueOf(values, 'type'));
      probe.findings.add('search', probe.subjectOf(exchange), unless(has, `${id} did not use this type at this instant`));
    }
  }
};

/** Each device has the serial number, and there are as many as the filter matches. */
const checkSerialNumber: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const serialNumber = valueOf(values, 'serialNumber');
    const { exchange, body } = await probe.get(probe.url(values));
    const filtered = await probe.ask('/equipment', [['serialNumber', serialNumber]]);
    if (body === undefined) continue;
    const other = elementsOf(probe.operation, body).find((each) => memberOf(each, 'serialNumber') !== serialNumber);
    const [found, total] = [memberOf(body, 'page.totalElements'), memberOf(filtered, 'page.totalElements')];
    probe.findings.add('search', probe.subjectOf(exchange), [
      ...unless(other === undefined, `${selfOf(other)} has another serial number`),
      ...unless(filtered === null || found === total, `${String(found)} devices; /equipment has ${String(total)}`),
    ]);
  }
};

/** The installations of a device equal those of its projection. */
const checkInstallations: SearchCheck = async (probe, all) => {
  for (const values of all) {
    const { exchange, body } = await probe.get(probe.url(values));
    const device = await probe.ask(probe.operation.path.replace(/\/installations$/, ''), [['projection', 'installations']], values.path);
    const known = memberOf(device, 'installations');
    if (body === undefined || known === undefined) continue;
    const right = same(elementsOf(probe.operation, body), known);
    probe.findings.add('search', probe.subjectOf(exchange), unless(right, 'differs from projection=installations'));
  }
};

/** The check of a search, by the path of the operation. */
const SEARCHES: [RegExp, SearchCheck][] = [
  [/^\/setups\/search\/findCurrentByFourCharacterId$/, checkCurrent],
  [/^\/setups\/search\/findAtByFourCharacterId$/, checkAt],
  [/^\/setups\/search\/find(Current|At)ByFourCharacterIdIn$/, checkMany],
  [/^\/setups\/search\/findBySiteId$/, checkSetupsOfSite],
  [/^\/setups\/search\/findByFourCharacterId$/, checkSetupsOfPeriod],
  [/^(\/setups\/search\/findChangesByFourCharacterId|\/changes)$/, checkChanges],
  [/^\/corsSites\/search\/findByFourCharacterId$/, checkSite],
  [/^\/corsSites\/search\/findByEquipmentTypeAt$/, checkSitesWithType],
  [/^\/siteLogs\/search\/findByFourCharacterId$/, checkSiteLog],
  [/\/\{id\}\/siteLogs$/, checkKeptLogs],
  [/^\/equipment\/search\/findBySerialNumber$/, checkSerialNumber],
  [/\/\{id\}\/installations$/, checkInstallations],
];

/** The check of an operation that is a search; undefined if it is not. */
export const searchCheckOf = (path: string): SearchCheck | undefined => SEARCHES.find(([pattern]) => pattern.test(path))?.[1];

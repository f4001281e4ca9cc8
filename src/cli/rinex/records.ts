import type {
  CorsSite,
  ExportedSetup,
  Instant,
  Period,
  SiteLogResource,
} from '../../../schemas/index.js';
import type { RecordedSite } from '../../check/rinex/check-header.js';
import { createSetupsClient, type SetupsClient } from '../../client/index.js';
import { openReader } from '../../store/open.js';
import { CommandFailed } from '../failures.js';

/** What is on record about Sites, read through the API: from a service, or in this process from a database. */

/** How many Sites are asked for at once. */
const AT_ONCE = 50;

/** Where a device is on record. */
export interface Installed {
  site: string;
  from: Instant;
  to: Instant | null;
}

type Installations = (Pick<CorsSite, 'fourCharacterId' | 'nineCharacterId'> & { period: Period })[];

/** The roles of sections 11 and 12. */
const AGENCY_ROLES = ['siteMetadataCustodian', 'siteContact'];

const idOf = ({
  nineCharacterId,
  fourCharacterId,
}: Pick<CorsSite, 'nineCharacterId' | 'fourCharacterId'>): string =>
  nineCharacterId ?? fourCharacterId;

/** Reads from a client of the API. */
export class Records {
  constructor(
    private readonly client: SetupsClient,
    private readonly place: string,
    readonly close: () => Promise<void>,
  ) {}

  /** The Sites with some four-character ids, in lower or upper case. */
  async findSites(ids: string[]): Promise<RecordedSite[]> {
    const all: RecordedSite[] = [];
    for (let first = 0; first < ids.length; first += AT_ONCE)
      all.push(...(await this.findSome(ids.slice(first, first + AT_ONCE))));
    return all;
  }

  private async findSome(fourCharacterId: string[]): Promise<RecordedSite[]> {
    const { data } = await this.asked(
      this.client.GET('/corsSites', { params: { query: { fourCharacterId, size: 1000 } } }),
    );
    const sites = data._embedded.corsSites;
    if (sites.length === 0) return [];
    const query = { site: sites.map(idOf) };
    const path = { format: 'ndjson' } as const;
    const [setups, logs] = await Promise.all([
      this.asked(
        this.client.GET('/exports/setups.{format}', {
          params: { path, query: { ...query, invalidated: [false] } },
          parseAs: 'text',
        }),
      ),
      this.asked(this.client.GET('/siteLogs', { params: { query: { ...query, size: 1000 } } })),
    ]);
    const ofSite = Map.groupBy(
      String(setups.data)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ExportedSetup),
      ({ siteId }) => siteId,
    );
    return sites.map((site) => ({
      site,
      setups: (ofSite.get(site.id) ?? []).sort(
        (a, b) => Date.parse(a.effectivePeriod.from) - Date.parse(b.effectivePeriod.from),
      ),
      agencies: agenciesIn(logs.data._embedded.siteLogs as unknown as SiteLogResource[], site),
    }));
  }

  /** Where a receiver or an antenna with a serial number is on record. */
  async findSerialNumber(
    serialNumber: string,
    equipmentType: 'gnss receiver' | 'gnss antenna',
  ): Promise<Installed[]> {
    const { data } = await this.asked(
      this.client.GET('/equipment/search/findBySerialNumber', {
        params: { query: { serialNumber, size: 100 } },
      }),
    );
    return data._embedded.equipment
      .filter((device) => device.equipmentType === equipmentType)
      .flatMap(({ installations }) => installations as unknown as Installations)
      .map(({ fourCharacterId, nineCharacterId, period }) => ({
        site: idOf({ fourCharacterId, nineCharacterId }),
        ...period,
      }));
  }

  /** An answer that has data. @throws {CommandFailed} */
  private async asked<T, A extends { data?: T; error?: { detail?: string }; response: Response }>(
    request: Promise<A>,
  ): Promise<A & { data: NonNullable<A['data']> }> {
    const answer = await request.catch((error: Error) => {
      const { cause } = error as { cause?: Error };
      throw new CommandFailed(`${this.place} does not answer: ${cause?.message ?? error.message}`);
    });
    if (answer.data === undefined) {
      throw new CommandFailed(
        `${this.place} answered ${answer.response.status}: ${answer.error?.detail ?? 'no details'}`,
      );
    }
    return answer as A & { data: NonNullable<A['data']> };
  }
}

function agenciesIn(
  logs: SiteLogResource[],
  { fourCharacterId, nineCharacterId }: CorsSite,
): string[] {
  const log = logs.find(
    ({ siteIdentification: id }) =>
      id.fourCharacterId === fourCharacterId &&
      (nineCharacterId === null || (id.nineCharacterId ?? nineCharacterId) === nineCharacterId),
  );
  const parties = AGENCY_ROLES.flatMap(
    (role) => log?.responsibleParties.filter((party) => party.role === role) ?? [],
  );
  return [
    ...new Set(parties.flatMap(({ organisation, abbreviation }) => [organisation, abbreviation])),
  ].filter((each) => each !== null);
}

/** The records of the service at a base URL; without a URL, those in a database. */
export const recordsOf = (database: string, service: string | undefined): Promise<Records> =>
  service === undefined
    ? recordsOfDatabase(database)
    : Promise.resolve(new Records(createSetupsClient(service), service, () => Promise.resolve()));

/** The records in a database. The service answers in this process, without a network. */
export async function recordsOfDatabase(database: string): Promise<Records> {
  const store = await openReader(database);
  const { buildApp } = await import('../../http/app.js');
  const { CONTRACT_FOLDER } = await import('../package-files.js');
  const app = await buildApp({ store, contractFolder: CONTRACT_FOLDER });
  const fetch = async ({ url }: Request): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const { statusCode, payload, headers } = await app.inject(`${pathname}${search}`);
    return new Response(payload, {
      status: statusCode,
      headers: { 'content-type': String(headers['content-type']) },
    });
  };
  return new Records(createSetupsClient('http://localhost', { fetch }), 'the database', () =>
    app.close(),
  );
}

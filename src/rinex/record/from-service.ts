import type { CorsSite, CorsSiteResource, Setup, SiteLogResource } from '../../../schemas/index.js';
import { createSetupsClient, type SetupsClient } from '../../client/index.js';
import { CommandFailed } from '../line/failures.js';
import {
  AT_ONCE,
  type DeviceOnRecord,
  Records,
  type RecordSource,
  type SiteOnRecord,
} from './records.js';

/** The elements on a page; of site logs, which are long, fewer. */
const SIZE = 100;
const LOGS_SIZE = 20;

/** A page of a collection. The server at the URL may send something else. */
interface CollectionPage {
  _embedded?: object;
  _links?: { next?: unknown };
}

/** An answer of the client. */
interface Answer<T> {
  data?: T;
  error?: { detail?: string };
  response: Response;
}

/** Reads the record from a service, through its API. */
class ApiRecords implements RecordSource {
  private readonly client: SetupsClient;

  /** @param base the base URL of the service */
  constructor(private readonly base: string) {
    this.client = createSetupsClient(base);
  }

  async findSites(fourCharacterId: string[]): Promise<SiteOnRecord[]> {
    const sites = await this.allOf<CorsSiteResource>('corsSites', (page) =>
      this.client.GET('/corsSites', {
        params: { query: { fourCharacterId, page, size: SIZE } },
      }),
    );
    if (sites.length === 0) return [];
    const setups = await this.setupsOf(sites.map(({ id }) => id));
    const logs = await this.allOf<SiteLogResource>('siteLogs', (page) =>
      this.client.GET('/siteLogs', {
        params: { query: { fourCharacterId, page, size: LOGS_SIZE } },
      }),
    );
    return sites.map(({ _links, ...site }) => ({
      site,
      setups: setups.get(site.id) ?? [],
      log: logs.find(({ siteIdentification }) => isOfSite(siteIdentification, site)) ?? null,
    }));
  }

  /** The valid Setups of some Sites in chronological order, by the number of the Site. */
  private async setupsOf(sites: number[]): Promise<Map<number, Setup[]>> {
    const setups: Setup[] = [];
    for (let first = 0; first < sites.length; first += AT_ONCE) {
      const siteId = sites.slice(first, first + AT_ONCE);
      const sort = ['effectivePeriod.from'];
      const found = await this.allOf<Setup>('setups', (page) =>
        this.client.GET('/setups', {
          params: { query: { siteId, invalidated: [false], sort, page, size: SIZE } },
        }),
      );
      setups.push(...found);
    }
    return Map.groupBy(setups, ({ siteId }) => siteId);
  }

  async findDevices(serialNumber: string, most: number): Promise<DeviceOnRecord[]> {
    const data = await this.asked(
      this.client.GET('/equipment/search/findBySerialNumber', {
        params: { query: { serialNumber, size: most } },
      }),
    );
    return this.elementsIn<DeviceOnRecord>(data, 'equipment');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** All elements of a collection, page by page. @param ask asks for a page by its number */
  private async allOf<T>(
    name: string,
    ask: (page: number) => Promise<Answer<CollectionPage>>,
  ): Promise<T[]> {
    const elements: T[] = [];
    for (let page = 0; ; page++) {
      const data = await this.asked(ask(page));
      const found = this.elementsIn<T>(data, name);
      elements.push(...found);
      if (data._links?.next === undefined || found.length === 0) return elements;
    }
  }

  /** The elements on a page. @throws {CommandFailed} if it is not such a page */
  private elementsIn<T>({ _embedded }: CollectionPage, name: string): T[] {
    const found = (_embedded as Record<string, T[]> | undefined)?.[name];
    if (Array.isArray(found)) return found;
    throw new CommandFailed(
      `${this.base} is not a gnss-site-setups service: its answer has no ${name}`,
    );
  }

  /** The data of an answer. @throws {CommandFailed} if there is no answer, or it has none */
  private async asked<T>(request: Promise<Answer<T>>): Promise<T> {
    const { data, error, response } = await request.catch((failure: Error) => {
      if (failure instanceof SyntaxError)
        throw new CommandFailed(`${this.base} is not such a service: its answer is not JSON`);
      const { cause } = failure as { cause?: Error };
      throw new CommandFailed(`${this.base} does not answer: ${cause?.message ?? failure.message}`);
    });
    if (data !== undefined) return data;
    throw new CommandFailed(
      `${this.base} answered ${response.status}: ${error?.detail ?? 'no details'}`,
    );
  }
}

/** Whether a log is of a Site: a published log has the ids of its Site. */
const isOfSite = (
  { fourCharacterId, nineCharacterId }: SiteLogResource['siteIdentification'],
  site: CorsSite,
): boolean => fourCharacterId === site.fourCharacterId && nineCharacterId === site.nineCharacterId;

/** Opens the record of the service at a base URL. */
export const openApiRecords = (base: string): Records => new Records(new ApiRecords(base));

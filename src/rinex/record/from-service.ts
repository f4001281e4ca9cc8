import type {
  CorsSiteResource,
  GnssEquipmentType,
  Setup,
  SetupResource,
} from '../../../schemas/index.js';
import { createSetupsClient, type SetupsClient } from '../../client/index.js';
import { TEXT_FORMS } from '../../site-log/site-log.js';
import type { RecordedSite } from '../../store/read/sites/sites.js';
import {
  type DeviceOnRecord,
  installedAt,
  type Installed,
  MOST_DEVICES,
  type Records,
} from './records.js';
import { ServiceUnusable } from './unusable.js';

/** The elements on a page. */
const SIZE = 100;
/** How many values of a filter a service accepts. */
const AT_ONCE = 50;

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
class ServiceRecords implements Records {
  private readonly client: SetupsClient;
  private isOld = false;

  /**
   * @param base the base URL of the service
   * @param note called once, with a sentence, if the service is too old to give some values
   */
  constructor(
    private readonly base: string,
    private readonly note: (text: string) => void,
  ) {
    this.client = createSetupsClient(base);
  }

  async findSites(fourCharacterIds: string[]): Promise<RecordedSite[]> {
    const found: RecordedSite[] = [];
    for (let first = 0; first < fourCharacterIds.length; first += AT_ONCE)
      found.push(...(await this.sitesAmong(fourCharacterIds.slice(first, first + AT_ONCE))));
    return found;
  }

  /** The same. @param fourCharacterId at most {@link AT_ONCE} */
  private async sitesAmong(fourCharacterId: string[]): Promise<RecordedSite[]> {
    const sites = await this.allOf<CorsSiteResource>('corsSites', (page) =>
      this.client.GET('/corsSites', {
        params: { query: { fourCharacterId, page, size: SIZE } },
      }),
    );
    if (sites.length === 0) return [];
    const setups = await this.setupsOf(sites.map(({ id }) => id));
    const textLogs = await this.textLogsOf(fourCharacterId);
    return sites.map((site) =>
      this.toRecordedSite(site, setups.get(site.id) ?? [], textLogs.has(site._links.self.href)),
    );
  }

  /** The URLs of the Sites whose current logs have a text form. */
  private async textLogsOf(fourCharacterId: string[]): Promise<Set<string>> {
    const form = [...TEXT_FORMS];
    const logs = await this.allOf<{ _links: { corsSite: { href: string } } }>('siteLogs', (page) =>
      this.client.GET('/siteLogs', {
        params: {
          query: { fourCharacterId, form, projection: 'datePrepared', page, size: SIZE },
        },
      }),
    );
    return new Set(logs.map(({ _links }) => _links.corsSite.href));
  }

  private toRecordedSite(
    { _links, agencies, datePrepared = null, ...site }: CorsSiteResource,
    setups: Setup[],
    isText: boolean,
  ): RecordedSite {
    if (agencies !== undefined) return { site, setups, agencies, datePrepared, isText };
    this.noteOldService();
    const names = site.agency === null ? [] : [site.agency];
    return { site, setups, agencies: names, datePrepared, isText };
  }

  private noteOldService(): void {
    if (!this.isOld)
      this.note(
        `${this.base} is an older service, which gives one name of an agency and no Date Prepared`,
      );
    this.isOld = true;
  }

  /** The valid Setups of some Sites in chronological order, by the number of the Site. */
  private async setupsOf(sites: number[]): Promise<Map<number, Setup[]>> {
    const setups: Setup[] = [];
    for (let first = 0; first < sites.length; first += AT_ONCE) {
      const siteId = sites.slice(first, first + AT_ONCE);
      const sort = ['effectivePeriod.from'];
      const found = await this.allOf<SetupResource>('setups', (page) =>
        this.client.GET('/setups', {
          params: { query: { siteId, invalidated: [false], sort, page, size: SIZE } },
        }),
      );
      setups.push(...found.map(({ _links, ...setup }) => setup));
    }
    return Map.groupBy(setups, ({ siteId }) => siteId);
  }

  async findSerialNumber(serialNumber: string, kind: GnssEquipmentType): Promise<Installed[]> {
    const data = await this.asked(
      this.client.GET('/equipment/search/findBySerialNumber', {
        params: { query: { serialNumber, size: MOST_DEVICES } },
      }),
    );
    return installedAt(this.elementsIn<DeviceOnRecord>(data, 'equipment'), kind);
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

  /** The elements on a page. @throws {ServiceUnusable} if it is not such a page */
  private elementsIn<T>({ _embedded }: CollectionPage, name: string): T[] {
    const found = (_embedded as Record<string, T[]> | undefined)?.[name];
    if (Array.isArray(found)) return found;
    throw new ServiceUnusable(
      `${this.base} is not a gnss-site-setups service: its answer has no ${name}`,
    );
  }

  /** The data of an answer. @throws {ServiceUnusable} if there is no answer, or it has none */
  private async asked<T>(request: Promise<Answer<T>>): Promise<T> {
    const { data, error, response } = await request.catch((failure: Error) => {
      if (failure instanceof SyntaxError)
        throw new ServiceUnusable(`${this.base} is not such a service: its answer is not JSON`);
      const { cause } = failure as { cause?: Error };
      const reason = cause?.message ?? failure.message;
      throw new ServiceUnusable(`${this.base} does not answer: ${reason}`);
    });
    if (data !== undefined) return data;
    throw new ServiceUnusable(
      `${this.base} answered ${response.status}: ${error?.detail ?? 'no details'}`,
    );
  }
}

/**
 * Opens the record of the service at a base URL.
 * @param note called once, with a sentence, if the service is too old to give some values
 */
export const openServiceRecords = (base: string, note: (text: string) => void): Records =>
  new ServiceRecords(base, note);

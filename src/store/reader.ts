import type { Database, Statement } from 'better-sqlite3';
import { type EquipmentInUse, type EquipmentType, type Setup, SETUP_NAME } from '../../schemas/index.js';
import { migrationOf } from './migrations.js';
import type { Found, ReceiverSearch, SetupReader, SiteReference, StoredReceiver } from './store.js';

/** id, site_id, effective_from, effective_to, superseded_at, equipment_in_use */
type SetupRow = [number, number, string, string | null, string | null, string];
const SETUP = 'setup.id, setup.site_id, setup.effective_from, setup.effective_to, setup.superseded_at, setup.equipment_in_use';

function toSetup([id, siteId, from, to, supersededAt, equipmentInUse]: SetupRow): Setup {
  return {
    id,
    siteId,
    name: SETUP_NAME,
    effectivePeriod: { from, to },
    invalidated: supersededAt !== null,
    equipmentInUse: JSON.parse(equipmentInUse) as EquipmentInUse[],
    current: supersededAt === null && to === null,
  };
}

/** id, type, manufacturer, serial_number */
type ReceiverRow = [number, string | null, string | null, string | null];
const RECEIVER = 'id, type, manufacturer, serial_number';
const IN_CATALOGUE = "equipment_type = 'gnss receiver' AND listed = 1";

function toReceiver([id, type, manufacturer, serialNumber]: ReceiverRow): StoredReceiver {
  return { id, type, equipmentType: 'gnss receiver', manufacturer, serialNumber };
}

/** Reads one SQLite file through one connection. */
export class SqliteReader implements SetupReader {
  private readonly currentSetup: Statement<[string], [...(SetupRow | [null, null, null, null, null, null]), string | null]>;
  private readonly setup: Statement<[number], SetupRow>;
  private readonly receiver: Statement<[number], ReceiverRow>;
  private readonly receivers: Statement<{ types: string | null; limit: number; offset: number }, ReceiverRow>;
  private readonly allReceivers: Statement<{ limit: number; offset: number }, ReceiverRow>;
  private readonly receiverCount: Statement<{ types: string }, number>;
  private readonly allReceiverCount: Statement<[], number>;

  private readonly dataVersion: Statement<[], number>;

  constructor(private readonly db: Database) {
    this.dataVersion = db.prepare('PRAGMA data_version').pluck() as typeof this.dataVersion;
    this.currentSetup = db
      .prepare(
        `SELECT ${SETUP}, site.nine_character_id FROM site
         LEFT JOIN setup ON setup.site_id = site.id AND setup.superseded_at IS NULL AND setup.effective_to IS NULL
         WHERE site.four_character_id = ?`,
      )
      .raw() as typeof this.currentSetup;
    this.setup = db.prepare(`SELECT ${SETUP} FROM setup WHERE id = ?`).raw() as typeof this.setup;
    this.receiver = db.prepare(`SELECT ${RECEIVER} FROM equipment WHERE id = ? AND ${IN_CATALOGUE}`).raw() as typeof this.receiver;
    const ofTypes = `${IN_CATALOGUE} AND type IN (SELECT value FROM json_each(:types))`;
    const page = 'ORDER BY id LIMIT :limit OFFSET :offset';
    this.receivers = db.prepare(`SELECT ${RECEIVER} FROM equipment WHERE ${ofTypes} ${page}`).raw() as typeof this.receivers;
    this.allReceivers = db.prepare(`SELECT ${RECEIVER} FROM equipment WHERE ${IN_CATALOGUE} ${page}`).raw() as typeof this.allReceivers;
    this.receiverCount = db.prepare(`SELECT count(*) FROM equipment WHERE ${ofTypes}`).pluck() as typeof this.receiverCount;
    this.allReceiverCount = db.prepare(`SELECT count(*) FROM equipment WHERE ${IN_CATALOGUE}`).pluck() as typeof this.allReceiverCount;
  }

  async findCurrentSetup({ fourCharacterId, nineCharacterId }: SiteReference): Promise<Setup | null | undefined> {
    const row = this.currentSetup.get(fourCharacterId);
    if (row === undefined) return undefined;
    const [id, siteId, from, to, supersededAt, equipmentInUse, known] = row;
    // A Site whose log gives four characters only goes by any nine-character id that begins with them.
    if (nineCharacterId !== null && known !== null && known !== nineCharacterId) return undefined;
    return id === null ? null : toSetup([id, siteId, from, to, supersededAt, equipmentInUse]);
  }

  async findSetup(id: number): Promise<Setup | undefined> {
    const row = this.setup.get(id);
    return row && toSetup(row);
  }

  async findReceivers({ types, page, size }: ReceiverSearch): Promise<Found<StoredReceiver>> {
    const window = { limit: size, offset: page * size };
    // One transaction, so that the page and the count are of one state.
    return this.db.transaction(() => {
      if (types === null) {
        return { elements: this.allReceivers.all(window).map(toReceiver), totalElements: this.allReceiverCount.get()! };
      }
      const wanted = { types: JSON.stringify(types) };
      return {
        elements: this.receivers.all({ ...wanted, ...window }).map(toReceiver),
        totalElements: this.receiverCount.get(wanted)!,
      };
    })();
  }

  async findReceiver(id: number): Promise<StoredReceiver | undefined> {
    const row = this.receiver.get(id);
    return row && toReceiver(row);
  }

  async status(): Promise<{ migration: number; sites: number }> {
    const sites = this.db.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
    return { migration: migrationOf(this.db), sites };
  }

  async findExample(equipmentType: EquipmentType): Promise<{ fourCharacterId: string | null; type: string | null }> {
    const fourCharacterId = this.db
      .prepare<[], string>(
        `SELECT four_character_id FROM site JOIN setup ON setup.site_id = site.id
         WHERE superseded_at IS NULL AND effective_to IS NULL ORDER BY four_character_id LIMIT 1`,
      )
      .pluck()
      .get();
    const type = this.db
      .prepare<[string], string>(
        `SELECT type FROM equipment WHERE equipment_type = ? AND listed = 1 AND type IS NOT NULL
         GROUP BY type ORDER BY count(*) DESC, type LIMIT 1`,
      )
      .pluck()
      .get(equipmentType);
    return { fourCharacterId: fourCharacterId ?? null, type: type ?? null };
  }

  async version(): Promise<number> {
    return this.dataVersion.get()!;
  }

  async close(): Promise<void> {
    this.db.close();
  }
}

import Database from 'better-sqlite3';
import { writeEquipmentInUse } from '../../src/serializers/documents.js';
import type { EquipmentInUse } from '../../schemas/index.js';
import { openServers } from '../../src/store/postgres/open.js';
import type { Servers } from '../../src/store/postgres/servers.js';
import { Cluster, findPrograms, NOT_INSTALLED } from '../postgres/cluster.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { micro } from './load-rows.js';
import { SETTINGS } from './postgres.js';
import { figuresOf } from './process-figures.js';
import { median, rotate } from './rounds.js';
import type { Row } from './table.js';

/** Compares the types in which PostgreSQL could store the documents of Setups, which are sent exactly as they were written. */

/** How many lookups make a round: batches, because a read of the service has a time limit. */
const BATCHES = 4;
const LOOKUPS = 5000;

/** How a type binds documents, and how the service gets the text to send from what it reads. */
interface Storage {
  /** Converts the array of texts that is bound. */
  bind: string;
  toText: (stored: never) => string;
}

const STORAGES = {
  text: { bind: '$2::text[]', toText: (stored: string) => stored },
  // It loses the order of members and the exact spelling, so the serializer must write the text again.
  jsonb: { bind: '$2::jsonb[]', toText: (stored: EquipmentInUse[]) => writeEquipmentInUse(stored) },
  bytea: { bind: '$2::bytea[]', toText: (stored: Buffer) => stored.toString() },
} satisfies Record<string, Storage>;
type StorageName = keyof typeof STORAGES;
const NAMES = Object.keys(STORAGES) as StorageName[];

/** What a round cost for each document, in microseconds of processor time. */
interface Cost {
  postgres: number;
  service: number;
}

/** Measures some work on documents. @param pid the process of PostgreSQL that does it */
async function costOf(pid: number, documents: number, work: () => Promise<void>): Promise<Cost> {
  const [before, own] = [figuresOf(pid)!.processorTime, process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(own);
  return { postgres: ((figuresOf(pid)!.processorTime - before) * 1e6) / documents, service: (user + system) / documents };
}

/** Creates the table of a type and fills it. */
async function insert(servers: Servers, name: StorageName, documents: string[]): Promise<void> {
  const bound = name === 'bytea' ? documents.map((each) => Buffer.from(each)) : documents;
  await servers.readUnrevised(async (session) => {
    await session.script(`DROP TABLE IF EXISTS as_${name}; CREATE TABLE as_${name} (id bigint PRIMARY KEY, document ${name} NOT NULL)`);
    const ids = documents.map((_, index) => index);
    await session.run(`INSERT INTO as_${name} SELECT * FROM unnest($1::bigint[], ${STORAGES[name].bind})`, ids, bound);
  });
}

/** Reads documents at random. @throws {Error} if one is not what was stored, byte for byte */
async function lookUp(servers: Servers, name: StorageName, documents: string[]): Promise<void> {
  const toText = STORAGES[name].toText as (stored: unknown) => string;
  for (let batch = 0; batch < BATCHES; batch++) {
    await servers.readUnrevised(async (session) => {
      for (let count = 0; count < LOOKUPS; count++) {
        const id = Math.floor(Math.random() * documents.length);
        const row = await session.get<{ document: unknown }>(`SELECT document FROM as_${name} WHERE id = $1`, id);
        if (toText(row!.document) !== documents[id]) throw new Error(`document ${id} was changed as ${name}`);
      }
    });
  }
}

/** The rows of a figure: each type compared with text. */
function rowsOf(what: string, figures: Record<StorageName, number>, format: (figure: number) => string): Row[] {
  return NAMES.filter((name) => name !== 'text').map((name) => ({
    name: `documents, ${what}`,
    result: `${name} ${(figures[name] / figures.text).toFixed(2)} × text`,
    raw: `${format(figures[name])} / ${format(figures.text)}`,
  }));
}

const mapped = <T>(value: (name: StorageName) => T): Record<StorageName, T> =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<StorageName, T>;

/** Measures the types. Without PostgreSQL, says so and measures nothing. */
export async function measureDocuments({ database }: Network, { rounds }: Effort): Promise<Row[]> {
  if (findPrograms() === null) {
    process.stdout.write(`${NOT_INSTALLED}; nothing measured\n`);
    return [];
  }
  const file = new Database(database, { readonly: true });
  const documents = file.prepare<[], string>('SELECT equipment_in_use FROM setup').pluck().all();
  file.close();
  const cluster = await Cluster.create({ settings: SETTINGS });
  const servers = await openServers(cluster.primary.url(await cluster.createDatabase()), {});
  try {
    const { pid } = (await servers.readUnrevised((session) => session.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')))!;
    const inserted = await rotate(
      rounds,
      mapped((name) => () => costOf(pid, documents.length, () => insert(servers, name, documents))),
    );
    const sizes = {} as Record<StorageName, number>;
    for (const name of NAMES) {
      const size = await servers.readUnrevised(async (session) => {
        await session.script(`VACUUM ANALYZE as_${name}`);
        return session.get<{ size: number }>(`SELECT pg_table_size('as_${name}') AS size`);
      });
      sizes[name] = size!.size;
    }
    const lookedUp = await rotate(
      rounds,
      mapped((name) => () => costOf(pid, BATCHES * LOOKUPS, () => lookUp(servers, name, documents))),
    );
    const mediansOf = (costs: Record<StorageName, Cost[]>, side: keyof Cost) =>
      mapped((name) => median(costs[name].map((each) => each[side])));
    return [
      ...rowsOf(`${documents.length} on disk`, sizes, (size) => `${(size / documents.length).toFixed(0)} bytes each`),
      ...rowsOf('insertion, PostgreSQL', mediansOf(inserted, 'postgres'), micro),
      ...rowsOf('lookup, PostgreSQL', mediansOf(lookedUp, 'postgres'), micro),
      ...rowsOf('lookup, service', mediansOf(lookedUp, 'service'), micro),
    ];
  } finally {
    await servers.close();
    await cluster.stop();
  }
}

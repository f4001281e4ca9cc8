import { type Parameter, READ_REVISION, type Reads, type Revised, type Snapshot, withRevision } from './client.js';
import type { Session } from './session.js';

const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${READ_REVISION}`;

/** What was read, and the revision of the state that it was read from. */
interface Answer<T> {
  revision: number;
  value: T;
}

/** The rows of {@link withRevision} as the statement itself has them. */
function toAnswer<Row extends object>(rows: (Row & Revised)[]): Answer<Row[]> {
  const found = rows[0]?._found === true ? rows : [];
  return {
    revision: rows[0]!._revision,
    value: found.map(({ _revision, _found, ...row }) => row as unknown as Row),
  };
}

/** Reads from the servers of a database. */
export class Servers implements Reads {
  constructor(private readonly session: Session) {}

  all<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row[]> {
    return this.read(async (session) => toAnswer(await session.all<Row & Revised>(withRevision(sql), ...parameters)));
  }

  async get<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...parameters))[0];
  }

  inOneState<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.read((session) =>
      session.inTransaction(BEGIN_READING, async (begun) => {
        const [{ number }] = begun[1] as [{ number: number }];
        return { revision: number, value: await read(session) };
      }),
    );
  }

  close(): Promise<void> {
    return this.session.close();
  }

  private async read<T>(work: (session: Session) => Promise<Answer<T>>): Promise<T> {
    return (await work(this.session)).value;
  }
}

import { StoreUnusable } from '../store.js';
import { nameOf } from './connect.js';
import { Session, type SessionOptions } from './session.js';
import type { Address } from './url.js';

/** A server, or why it cannot be written. */
type Candidate = { server: string; session: Session } | { server: string; failure: string };

async function ask(address: Address, options: SessionOptions): Promise<Candidate> {
  const server = nameOf(address);
  let session: Session | undefined;
  try {
    session = await Session.open(address, options);
    const [[state]] = (await session.script('SELECT pg_is_in_recovery() AS replica')) as [[{ replica: boolean }]];
    if (!state.replica) return { server, session };
    await session.close();
    return { server, failure: 'is a replica' };
  } catch (error) {
    await session?.close();
    return { server, failure: (error as Error).message };
  }
}

/**
 * Connects to the one server that takes writes.
 * @param name the database in messages
 * @throws {StoreUnusable} if there is none, or if there are two, which would lead to two histories
 */
export async function openPrimary(name: string, addresses: Address[], options: SessionOptions): Promise<Session> {
  const candidates = await Promise.all(addresses.map((address) => ask(address, options)));
  const primaries = candidates.filter((each) => 'session' in each);
  if (primaries.length === 1) return primaries[0]!.session;
  await Promise.all(primaries.map(({ session }) => session.close()));
  const reasons = candidates.map((each) => `${each.server}: ${'failure' in each ? each.failure : 'accepts writes'}`).join('; ');
  const problem = primaries.length === 0 ? 'cannot be written' : 'has several primaries; stop all but one';
  throw new StoreUnusable(`database "${name}" ${problem}; ${reasons}`);
}

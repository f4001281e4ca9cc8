import type { Window } from '../../store/read/network.js';
import { ownTurn } from '../../turns.js';

/** Reads all windows. Other requests run between them. */
export async function* windowsOf<T>(
  read: (after: number) => Promise<Window<T>>,
): AsyncGenerator<T[]> {
  for (let after: number | null = 0; after !== null;) {
    const { elements, next }: Window<T> = await read(after);
    yield elements;
    after = next;
    await ownTurn();
  }
}

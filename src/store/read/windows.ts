import { ownTurn } from '../../turns.js';

/** What was found in a window: a range of ids. */
export interface Window<T> {
  elements: T[];
  /** The id after which the next window begins; null if there is none. */
  next: number | null;
}

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

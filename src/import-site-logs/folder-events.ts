import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/**
 * Reports changes in folders. It watches each folder but not its files, so that a folder of 10,000
 * files costs no more than an empty one. Events are only hints: network file systems send none.
 */
export class FolderEvents {
  /**
   * By path, in latin1 because it can represent any bytes. `isFound`: requested since the last
   * {@link sweep}.
   */
  private readonly watched = new Map<string, { watcher: FSWatcher; isFound: boolean }>();

  /** @param onFailure called if a folder cannot be watched */
  constructor(
    private readonly onEvent: () => void,
    private readonly onFailure: (folder: string, error: NodeJS.ErrnoException) => void,
  ) {}

  /** Watches a folder, but not its subfolders. */
  watch(folder: Buffer): void {
    const key = folder.toString('latin1');
    const known = this.watched.get(key);
    if (known === undefined) this.start(folder, key);
    else known.isFound = true;
  }

  /** Stops watching the folders that {@link watch} was not called for since the last time. */
  sweep(): void {
    for (const [key, folder] of this.watched) {
      if (!folder.isFound) this.forget(key);
      folder.isFound = false;
    }
  }

  /** Stops watching all folders. */
  close(): void {
    for (const key of this.watched.keys()) this.forget(key);
  }

  private start(folder: Buffer, key: string): void {
    const name = basename(folder.toString());
    try {
      const watcher = watch(folder, { persistent: false }, (event, changed) => {
        // The folder itself may have been moved or deleted. The next search watches its
        // replacement.
        if (event === 'rename' && changed === name) this.forget(key);
        this.onEvent();
      });
      watcher.on('error', () => this.forget(key));
      this.watched.set(key, { watcher, isFound: true });
    } catch (error) {
      // A folder that no longer exists is not read either.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.onFailure(folder.toString(), error as NodeJS.ErrnoException);
    }
  }

  private forget(key: string): void {
    this.watched.get(key)?.watcher.close();
    this.watched.delete(key);
  }
}

import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/**
 * Reports changes in folders. It watches each folder but not its files, so that a folder of 10,000 files costs no more
 * than an empty one. Events are only hints: network file systems send none.
 */
export class FolderEvents {
  /** By path, in latin1 because it can represent any bytes. `old`: not requested since the last {@link sweep}. */
  private old = new Map<string, FSWatcher>();
  private current = new Map<string, FSWatcher>();

  /** @param onFailure called if a folder cannot be watched */
  constructor(
    private readonly onEvent: () => void,
    private readonly onFailure: (folder: string, error: NodeJS.ErrnoException) => void,
  ) {}

  /** Watches a folder, but not its subfolders. */
  watch(folder: Buffer): void {
    const key = folder.toString('latin1');
    const existing = this.current.get(key) ?? this.old.get(key);
    this.old.delete(key);
    if (existing !== undefined) this.current.set(key, existing);
    else this.start(folder, key);
  }

  /** Stops watching the folders that {@link watch} was not called for since the last time. */
  sweep(): void {
    for (const watcher of this.old.values()) watcher.close();
    [this.old, this.current] = [this.current, new Map()];
  }

  /** Stops watching all folders. */
  close(): void {
    this.sweep();
    this.sweep();
  }

  private start(folder: Buffer, key: string): void {
    const name = basename(folder.toString());
    try {
      const watcher = watch(folder, { persistent: false }, (event, changed) => {
        // The folder itself may have been moved or deleted. The next search watches its replacement.
        if (event === 'rename' && changed === name) this.forget(key);
        this.onEvent();
      });
      watcher.on('error', () => this.forget(key));
      this.current.set(key, watcher);
    } catch (error) {
      // A folder that no longer exists is not read either.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.onFailure(folder.toString(), error as NodeJS.ErrnoException);
    }
  }

  private forget(key: string): void {
    for (const watchers of [this.old, this.current]) {
      watchers.get(key)?.close();
      watchers.delete(key);
    }
  }
}

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Test } from 'tap';
import { buildApp, type AppOptions } from '../src/http/app.js';
import type { ImportedFile, ImportSummary } from '../src/import-site-logs.js';
import { openReader } from '../src/store/open.js';
import type { Store } from '../src/store/store.js';
import { filledDatabase, importInto } from './databases.js';
import { CONTRACT, PATIENCE } from './project-files.js';
import { logText, type SyntheticLog } from './synthetic-log.js';

/** A database of the test, with an app over it. */
export interface Service {
  /** The folder of the test. */
  folder: string;
  database: string;
  store: Store;
  app: FastifyInstance;
  /** Sends a GET to the app. */
  get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  /** Imports files and folders through its own connection. */
  importPaths: (paths: string[], now?: Date) => Promise<ImportSummary & { files: ImportedFile[] }>;
  /** Imports a synthetic log, or any text, under a name. */
  importText: (
    log: SyntheticLog | string,
    name?: string,
    now?: Date,
  ) => Promise<ImportSummary & { files: ImportedFile[] }>;
}

/** A service over the given logs, whose clock stands still; closed at the end of the test. */
export async function openService(
  t: Test,
  paths: string[] = [],
  options: Partial<AppOptions> = {},
): Promise<Service> {
  const folder = t.testdir({ logs: {} });
  const database = await filledDatabase(t, join(folder, 'test.sqlite'), paths);
  const importPaths: Service['importPaths'] = (more, now) => importInto(database, more, now);
  const importText: Service['importText'] = (log, name = 'test_20200101.log', now) => {
    const path = join(folder, 'logs', basename(name));
    writeFileSync(path, typeof log === 'string' ? log : logText(log));
    return importPaths([path], now);
  };
  const store = await openReader(database);
  // Files have the time of their request: two are the same in whatever second each is asked for.
  const opened = new Date();
  const app = await buildApp({
    store,
    clock: () => opened,
    contractFolder: CONTRACT,
    patience: PATIENCE,
    ...options,
  });
  t.teardown(async () => {
    await app.close();
    await store.close();
  });
  const get: Service['get'] = (url, headers = {}) => app.inject({ url, headers });
  return { folder, database, store, app, get, importPaths, importText };
}

import type { FastifyReply } from 'fastify';
import * as Type from '@sinclair/typebox';
import { oneOf, onlyParameters } from '../../exports/parameters.js';
import { TEXT_MEDIA_TYPE } from '../../exports/site-files.js';
import { PATHS } from '../../links.js';
import { EVERYTHING } from '../../store/read/exports/tables.js';
import type { LogFile, LogFolder } from '../../store/read/logs/files.js';
import type { Store } from '../../store/store.js';
import { HTML_MEDIA_TYPE } from '../wire/accept.js';
import { type App, Content } from '../contract/operations.js';
import { ProblemError } from '../wire/problems.js';
import { ownTurn } from '../../turns.js';

/**
 * The site logs as files in folders with the names that the IGS gives them, so that a script that
 * mirrors such folders works here. Its answers are the only ones with Last-Modified, so that
 * `wget -N` fetches only what is new. They are for programs that know the folders, and no part of
 * the contract.
 */

/** The folders: the current logs, the earlier ones, and those of retired Sites. */
const FOLDERS = {
  log: 'current',
  oldlog: 'earlier',
  finallog: 'retired',
} as const satisfies Record<string, LogFolder>;
const FolderParameter = oneOf(Object.keys(FOLDERS) as (keyof typeof FOLDERS)[], 'The folder');

const FILE_NAME = /^([a-z0-9_]{4}(?:[0-9]{2}[a-z]{3})?)(?:_(\d{4})(\d{2})(\d{2}))?\.log$/;

/** `alic00aus_20170223.log`; without a date if Date Prepared is unknown. */
function stationLogFileName({ site, datePrepared }: LogFile): string {
  const id = site.toLowerCase();
  return datePrepared === null ? `${id}.log` : `${id}_${datePrepared.replaceAll('-', '')}.log`;
}

/** A time in HTTP: whole seconds (RFC 9110, section 5.6.7). */
const httpDate = (time: string): string => new Date(time).toUTCString();

const setModified = (reply: FastifyReply, time: string): FastifyReply =>
  reply.header('last-modified', httpDate(time));

/** Whether a client has a file already. @param since the value of If-Modified-Since */
const isKnown = (since: string | undefined, time: string): boolean =>
  since !== undefined && Date.parse(since) >= Date.parse(httpDate(time));

/** The later of two times of the same form; null is none. */
const later = (time: string, other: string | null): string =>
  other !== null && other > time ? other : time;

/** How many Sites are listed at once. This takes a few milliseconds. */
const SITES_LISTED_AT_ONCE = 500;

/** The numbers of the Sites whose logs may be in a folder. */
async function siteNumbersOf(store: Store, folder: LogFolder): Promise<number[]> {
  if (folder !== 'retired') return store.exports.siteNumbers(EVERYTHING);
  const retired = await store.sites.findRetired();
  return retired.map(({ id }) => id);
}

/** The names of the files in a folder, some at a time. Other requests run in between. */
async function* namesIn(store: Store, folder: LogFolder): AsyncGenerator<string[]> {
  const numbers = await siteNumbersOf(store, folder);
  for (let first = 0; first < numbers.length; first += SITES_LISTED_AT_ONCE) {
    const some = numbers.slice(first, first + SITES_LISTED_AT_ONCE);
    const files = await store.logFiles.findFiles(folder, some);
    yield files.map(stationLogFileName);
    await ownTurn();
  }
}

async function* listOf(names: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const some of names) yield some.map((name) => `${name}\n`).join('');
}

async function* indexOf(title: string, names: AsyncIterable<string[]>): AsyncGenerator<string> {
  const { html } = await import('../../web/page/html.js');
  const head = html`<head>
    <meta charset="utf-8" />
    <title>${title}</title>
  </head>`;
  const heading = html`<h1>${title}</h1>`;
  yield `<!DOCTYPE html>\n<html lang="en">\n${head.text}\n<body>\n${heading.text}\n<ul>\n`;
  for await (const some of names)
    yield html`${some.map((name) => html`<li><a href="${name}">${name}</a></li> `)}`.text;
  yield '</ul>\n</body>\n</html>\n';
}

/**
 * Adds the folders and their files.
 * @param publishContacts false sends the logs without their contacts
 */
export function addStationLogs(app: App, store: Store, publishContacts: boolean): void {
  app.get(PATHS.stationLogs.slice(0, -1), {
    schema: { params: onlyParameters({ folder: FolderParameter }) },
    config: { page: 'if-preferred' },
    handler: async ({ params: { folder } }, reply) => reply.redirect(`${folder}/`, 301),
  });

  app.get(PATHS.stationLogs, {
    schema: {
      params: onlyParameters({ folder: FolderParameter }),
      querystring: onlyParameters({
        list: Type.Optional(
          Type.Literal('', { description: 'Sends only the names, one per line: ?list.' }),
        ),
      }),
    },
    config: { page: 'if-preferred', costly: true },
    handler: async ({ params: { folder }, query: { list } }, reply) => {
      const last = await store.logFiles.lastChange();
      if (last !== null) setModified(reply, last);
      const names = namesIn(store, FOLDERS[folder]);
      if (list !== undefined) return new Content(TEXT_MEDIA_TYPE, listOf(names));
      return new Content(HTML_MEDIA_TYPE, indexOf(`/station/${folder}/`, names));
    },
  });

  app.get(PATHS.stationLog, {
    schema: {
      params: onlyParameters({
        folder: FolderParameter,
        file: Type.String({
          maxLength: 100,
          description: 'The name, such as alic00aus_20170223.log.',
        }),
      }),
    },
    handler: async ({ params: { folder, file }, headers }, reply) => {
      const [, site, year, month, day] = FILE_NAME.exec(file) ?? [];
      const datePrepared = year === undefined ? null : `${year}-${month!}-${day!}`;
      const [found] =
        site === undefined
          ? []
          : await store.logFiles.findFiles(FOLDERS[folder], {
              site: site.toUpperCase(),
              datePrepared,
            });
      const log = found && (await store.logs.findAlsoRetired(found.id));
      if (log === undefined)
        throw new ProblemError('not-found', 'There is no site log with this name in this folder.');
      const modified = later(found!.importedAt, await store.logFiles.lastCorrection(log.siteId));
      setModified(reply, modified);
      if (isKnown(headers['if-modified-since'], modified)) return reply.code(304).send();
      const { sectionsOf, writeText } = await import('../site-logs/written.js');
      const sections = await sectionsOf(store, log, publishContacts);
      return new Content(TEXT_MEDIA_TYPE, writeText(sections));
    },
  });
}

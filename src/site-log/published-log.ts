import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { SiteLogContent, SiteLogSections } from '../../schemas/index.js';
import { buildVersion, serializerOf } from '../serializers/serializers.js';
import { contentText, writeContent } from './published-content.js';

/**
 * What is published of a log, as it is stored when the log is imported: its content without
 * contacts, as JSON that is sent, and its sections, from which all other forms are made.
 */
export interface PublishedLog {
  /** The version of this program that made it. */
  version: number;
  /** How many bytes of JSON the content and the sections have. */
  bytes: number;
  /** The content without contacts, as JSON. */
  content: string;
  /** The sections with contacts as JSON, compressed. */
  sections: Uint8Array;
}

/** Writes sections as JSON. */
export const writeSections = serializerOf(SiteLogSections);

/** The version of the build, from the bundler. Another build may read logs in another way. */
declare const BUILD: string | undefined;

let version: number | undefined;

/** The version of this program, as far as it determines what is stored of a log. */
export const publishedVersion = (): number =>
  (version ??= buildVersion(
    typeof BUILD === 'undefined' ? '' : BUILD,
    SiteLogContent,
    SiteLogSections,
  ));

/** A higher quality or a larger window would make imports slower, and saves little. */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
};

/**
 * Makes what is stored of a log that was read.
 * @param withheld its sections without contacts
 * @param complete its sections
 */
export function publishedLog(withheld: SiteLogSections, complete: SiteLogSections): PublishedLog {
  const content = contentText(withheld);
  // They are only read again, never sent as they are.
  const written = JSON.stringify(complete);
  return {
    version: publishedVersion(),
    bytes: Buffer.byteLength(content) + Buffer.byteLength(written),
    content,
    // Its own memory, which can be moved to another thread.
    sections: new Uint8Array(brotliCompressSync(written, COMPRESSION)),
  };
}

/** A stored text, written anew if another version wrote it. */
const ofThisVersion = (text: string, by: number, write: (value: unknown) => string): string =>
  by === publishedVersion() ? text : write(JSON.parse(text));

/** What reads a stored text returns, or undefined if this version cannot read it. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The content without contacts; undefined if this version cannot read it. */
export const contentIn = ({
  version: by,
  content,
}: Pick<PublishedLog, 'version' | 'content'>): string | undefined =>
  readable(() => ofThisVersion(content, by, writeContent));

/** The sections with contacts; undefined if this version cannot read them. */
export const sectionsIn = ({
  version: by,
  sections,
}: Pick<PublishedLog, 'version' | 'sections'>): SiteLogSections | undefined =>
  readable(() => {
    const written = brotliDecompressSync(sections).toString();
    return JSON.parse(ofThisVersion(written, by, writeSections)) as SiteLogSections;
  });

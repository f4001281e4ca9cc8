import type {
  CorsSite,
  EquipmentInUse,
  InstalledEquipment,
  InstalledInstrument,
  Instant,
} from '../../schemas/index.js';

/** The supported site log formats. */
export type SiteLogForm =
  | 'IGS site log 1'
  | 'IGS site log 2.0'
  | 'GeodesyML 0.4'
  | 'GeodesyML 0.5'
  | 'GeodesyML 0.6'
  | 'SOPAC site log 2004';

/**
 * What a site log says about its station: identity, monument and place, as the contract has them.
 * Null means unknown.
 */
export type SiteIdentification = Omit<
  CorsSite,
  'id' | 'description' | 'monument' | 'siteStatus' | 'location' | 'formerIds' | 'agency'
> &
  Omit<CorsSite['location'], 'height'> & {
    monumentDescription: string | null;
    monumentFoundation: string | null;
    /** Metres. */
    monumentHeight: number | null;
    markerDescription: string | null;
    /** Additional Information of section 1. */
    notes: string | null;
    /** Elevation above the ellipsoid in metres. */
    elevation: number | null;
  };

/**
 * One item of equipment of a log that has not been withdrawn. `id` and `configuration` have the
 * types of the contract; `from` and `to` are null if the log gives no date.
 */
type ItemOf<E extends InstalledEquipment> = {
  [Each in E as Each['content']['id']['equipmentType']]: {
    id: Each['content']['id'];
    configuration: Each['content']['configuration'];
    from: Instant | null;
    to: Instant | null;
    /** The line of the file on which the block starts, counted from 1. */
    line: number;
  };
}[E['content']['id']['equipmentType']];

/** A receiver, antenna, humidity sensor or clock. */
export type LogItem = ItemOf<EquipmentInUse>;
/** An instrument, which is in no Setup. */
export type LogInstrument = ItemOf<InstalledInstrument>;

/** A site log as read from a file. */
export interface SiteLog {
  form: SiteLogForm;
  /**
   * Date Prepared (section 0) or the date in the file name, `YYYY-MM-DD`; null if there is neither.
   */
  datePrepared: string | null;
  /**
   * The organisation that maintains the log: the agency of section 12, else that of section 11;
   * null if it is unknown.
   */
  agency: string | null;
  /**
   * The names and abbreviations of the agencies of sections 12 and 11, in this order, each once.
   */
  agencies: string[];
  identification: SiteIdentification;
  /**
   * Receivers, antennas, humidity sensors and clocks, in this order; within a kind, in log order.
   */
  items: LogItem[];
  /**
   * Pressure sensors, temperature sensors, water vapour radiometers and other instruments, in this
   * order; within a kind, in log order.
   */
  instruments: LogInstrument[];
}

/**
 * The severity of a finding. `info`: read despite a deviation; `warning`: a value was lost;
 * `error`: the log was rejected.
 */
export type FindingLevel = 'info' | 'warning' | 'error';

/** A deviation of a file from the site log form. */
export interface Finding {
  /** The path of the file, as given to the reader. */
  file: string;
  /** The line, counted from 1; the first, if there are several. */
  line: number;
  /** The last of several lines; null or left out for one. */
  lastLine?: number | null;
  level: FindingLevel;
  /** What is wrong, and how it was handled. */
  message: string;
  /** The offending text, shortened if it is long. */
  text: string;
  /** The section or item of the text form that the line is in, such as 3.2. */
  section?: string | null;
  /** The code of a check; without one, the message has it. */
  code?: string;
}

/** Lines of a file, counted from 1. */
export interface Lines {
  line: number;
  /** The last of them; it may be the same. */
  lastLine: number;
}

/** The line or lines of a finding in words. */
export const linesInWords = ({ line, lastLine }: Pick<Finding, 'line' | 'lastLine'>): string =>
  lastLine == null ? `line ${line}` : `lines ${line} to ${lastLine}`;

/** The most characters of offending text that a finding quotes. */
const QUOTED_LENGTH = 120;
/** The most characters that are searched for contacts, before a quotation is shortened. */
export const SEARCHED_LENGTH = 4000;

/** The most findings that are recorded per file. */
const MOST_FINDINGS = 1000;

/** What a message quotes from the file, which may have quotation marks itself. */
const QUOTATION = /"(.*)"/s;

/** Replaces half a character of two code units, which is left where text was cut. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

const shortened = (text: string): string =>
  wellFormed(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);
/** A message with another quotation, shortened if it is long. */
const quoting = (message: string, replace: (quoted: string) => string): string =>
  message.replace(QUOTATION, (_, quoted: string) => `"${shortened(replace(quoted))}"`);

/** Collects the findings of one file. */
export class Findings {
  /**
   * What {@link withhold} needs: the message and the text of each finding before they were
   * shortened, and whether they are about a contact.
   */
  private readonly raw: { message: string; text: string; isContact: boolean }[];

  /** @param list the findings so far, to which others are added */
  constructor(
    readonly file: string,
    readonly list: Finding[] = [],
  ) {
    this.raw = list.map(({ message, text }) => ({ message, text, isContact: false }));
  }

  /** Takes findings about a section with contacts. */
  get aboutContacts(): FindingSink {
    return { add: (place, level, message, text) => this.add(place, level, message, text, true) };
  }

  /**
   * Adds a finding. `text` is put on one line and shortened.
   * @param place its line or lines
   * @param isContact whether it is about a section with contacts
   */
  add(
    place: number | Lines,
    level: FindingLevel,
    message: string,
    text = '',
    isContact = false,
  ): void {
    const lines = typeof place === 'number' ? { line: place, lastLine: place } : place;
    const { line, lastLine } = lines;
    // An error is the reason for a rejection, so it is always recorded.
    if (this.list.length > MOST_FINDINGS && level !== 'error') return;
    if (this.list.length === MOST_FINDINGS && level !== 'error') {
      this.push(
        {
          line,
          level: 'warning',
          message: `more than ${MOST_FINDINGS} findings; the rest are not reported`,
          text: '',
        },
        false,
      );
      return;
    }
    const quoted = text.slice(0, SEARCHED_LENGTH).replace(/\s+/g, ' ').trim();
    const finding: Omit<Finding, 'file'> = {
      line,
      level,
      message: wellFormed(message),
      text: quoted,
    };
    if (lastLine > line) finding.lastLine = lastLine;
    this.push(finding, isContact);
  }

  /**
   * Adds what a check found. Its texts must not be those of a section with contacts: they were
   * withheld before.
   */
  addCheck(line: number, level: FindingLevel, code: string, message: string, text = ''): void {
    const { length } = this.list;
    this.add(line, level, message, text);
    const added = this.list[length];
    if (added?.message === message) added.code = code;
  }

  /**
   * Replaces the contacts of the log in the findings so far.
   * @param withheld replaces them in a text; null replaces all that is quoted
   */
  withhold(withheld: ((text: string) => string) | null): void {
    this.list.forEach((finding, index) => {
      const { message, text, isContact } = this.raw[index]!;
      const replace = isContact || withheld === null ? () => '' : withheld;
      finding.message = quoting(message, (quoted) => replace(quoted) || WITHHELD);
      finding.text = shortened(replace(text));
    });
  }

  private push(finding: Omit<Finding, 'file'>, isContact: boolean): void {
    this.raw.push({ message: finding.message, text: finding.text, isContact });
    const message = quoting(finding.message, (quoted) => quoted);
    this.list.push({ file: this.file, ...finding, message, text: shortened(finding.text) });
  }
}

/** What takes findings. */
export type FindingSink = {
  add(place: number | Lines, level: FindingLevel, message: string, text?: string): void;
};

/** What is in place of a value about a contact where it is not published. */
export const WITHHELD = '(withheld)';

/**
 * The file is rejected: it is not a site log, or its station cannot be identified. The last of
 * `findings` is the reason.
 */
export class SiteLogRejected extends Error {
  override readonly name = 'SiteLogRejected';
  /** @param recognised whether the file is a site log at all */
  constructor(
    readonly findings: Finding[],
    readonly recognised: boolean,
  ) {
    super(findings.at(-1)?.message ?? 'not a site log');
  }
}

/** Rejects the file. The reason becomes its last finding. */
export function reject(
  findings: Findings,
  line: number,
  message: string,
  text = '',
  recognised = true,
): never {
  findings.add(line, 'error', message, text);
  throw new SiteLogRejected(findings.list, recognised);
}

import type { EquipmentInUse, InstalledEquipment, InstalledInstrument, Instant } from '../../schemas/index.js';

/** The supported site log formats. */
export type SiteLogForm =
  'IGS site log 1' | 'IGS site log 2.0' | 'GeodesyML 0.4' | 'GeodesyML 0.5' | 'GeodesyML 0.6' | 'SOPAC site log 2004';

/** What a site log says about its station: identity, monument and place. Null means unknown. */
export interface SiteIdentification {
  /** Four characters, upper case (section 1). */
  fourCharacterId: string;
  /** Station, monument, receiver and country, `ALIC00AUS`; null unless the log gives all four (section 1, v2.0). */
  nineCharacterId: string | null;
  /** Site Name (section 1). */
  name: string | null;
  /** IERS DOMES Number (section 1). */
  domesNumber: string | null;
  /** Date Installed of the monument (section 1). */
  dateInstalled: Instant | null;
  /** Monument Description (section 1). */
  monumentDescription: string | null;
  /** Monument Foundation (section 1). */
  monumentFoundation: string | null;
  /** Height of the Monument in metres (section 1). */
  monumentHeight: number | null;
  /** Marker Description (section 1). */
  markerDescription: string | null;
  /** Geologic Characteristic (section 1). */
  geologicCharacteristic: string | null;
  /** Bedrock Type (section 1). */
  bedrockType: string | null;
  /** Additional Information of section 1. */
  notes: string | null;
  /** City or Town (section 2). */
  city: string | null;
  /** State or Province (section 2). */
  state: string | null;
  /** Country (v1), or Country or Region as a three-letter code (v2.0, GeodesyML) (section 2). */
  country: string | null;
  /** ISO 3166-1 alpha-3 code of the country, or else that in the nine-character id. */
  countryCode: string | null;
  /** Degrees, north positive (section 2). */
  latitude: number | null;
  /** Degrees, east positive, -180 to 180 (section 2). */
  longitude: number | null;
  /** Elevation above the ellipsoid in metres (section 2). */
  elevation: number | null;
  /** X in metres, ITRF (section 2); null unless X, Y and Z are those of a point near the surface of the Earth. */
  x: number | null;
  /** Y in metres, as {@link x}. */
  y: number | null;
  /** Z in metres, as {@link x}. */
  z: number | null;
}

/**
 * One item of equipment of a log that has not been withdrawn. `id` and `configuration` have the types of the contract; `from`
 * and `to` are null if the log gives no date.
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
  /** Date Prepared (section 0) or the date in the file name, `YYYY-MM-DD`; null if there is neither. */
  datePrepared: string | null;
  identification: SiteIdentification;
  /** Receivers, antennas, humidity sensors and clocks, in this order; within a kind, in log order. */
  items: LogItem[];
  /** Pressure sensors, temperature sensors, water vapour radiometers and other instruments, in this order; within a kind, in log order. */
  instruments: LogInstrument[];
}

/** The severity of a finding. `info`: read despite a deviation; `warning`: a value was lost; `error`: the log was rejected. */
export type FindingLevel = 'info' | 'warning' | 'error';

/** A deviation of a file from the site log form. */
export interface Finding {
  /** The path of the file, as given to the reader. */
  file: string;
  /** The line, counted from 1. */
  line: number;
  level: FindingLevel;
  /** What is wrong, and how it was handled. */
  message: string;
  /** The offending text, shortened if it is long. */
  text: string;
  /** Set if it is about an instrument. Versions that read no instruments had no such findings. */
  about?: 'instrument';
}

/** The end of a shortened text in a finding. */
export const CUT = '…';

/** The most characters of offending text that a finding quotes. */
const QUOTED_LENGTH = 120;

/** The most findings that are recorded per file, and the most about instruments in addition. */
const MOST_FINDINGS = 1000;

/** Replaces half a character of two code units, which is left where text was cut. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Collects the findings of one file. */
export class Findings {
  private instruments: Findings | undefined;
  private count: number;

  /**
   * @param list the findings so far, to which others are added
   * @param about the subject of all findings that are added
   */
  constructor(
    readonly file: string,
    readonly list: Finding[] = [],
    private readonly about?: Finding['about'],
  ) {
    this.count = list.filter((finding) => finding.about === about).length;
  }

  /** Adds findings about instruments to the same list. */
  get aboutInstruments(): Findings {
    return (this.instruments ??= new Findings(this.file, this.list, 'instrument'));
  }

  /** Adds a finding. `text` is put on one line and shortened to {@link QUOTED_LENGTH} characters. */
  add(line: number, level: FindingLevel, message: string, text = ''): void {
    // An error is the reason for a rejection, so it is always recorded.
    if (this.count > MOST_FINDINGS && level !== 'error') return;
    if (this.count === MOST_FINDINGS && level !== 'error') {
      this.push({ line, level: 'warning', message: `more than ${MOST_FINDINGS} findings; the rest are not reported`, text: '' });
      return;
    }
    const quoted = text.replace(/\s+/g, ' ').trim();
    this.push({
      line,
      level,
      message: wellFormed(message),
      text: wellFormed(quoted.length > QUOTED_LENGTH ? quoted.slice(0, QUOTED_LENGTH) + CUT : quoted),
    });
  }

  private push(finding: Omit<Finding, 'file' | 'about'>): void {
    this.list.push({ file: this.file, ...finding, ...(this.about !== undefined && { about: this.about }) });
    this.count++;
  }
}

/**
 * The file is rejected: it is not a site log, or its station cannot be identified. The last of `findings` is the
 * reason.
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
export function reject(findings: Findings, line: number, message: string, text = '', recognised = true): never {
  findings.add(line, 'error', message, text);
  throw new SiteLogRejected(findings.list, recognised);
}

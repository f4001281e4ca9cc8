import type { EquipmentInUse, Instant } from '../../schemas/index.js';

/** The forms in which site logs are exchanged and read here. */
export type SiteLogForm = 'IGS site log 1' | 'IGS site log 2.0' | 'GeodesyML 0.4' | 'GeodesyML 0.5' | 'GeodesyML 0.6';

/** What a site log says of its station: identity, monument, place. Null is unknown. */
export interface SiteIdentification {
  /** Four characters, upper case (section 1). */
  fourCharacterId: string;
  /** Station, monument, receiver and country, `ALIC00AUS`; only where the log says all four (section 1, v2.0). */
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
  /** Country (v1), or Country or Region as three letters (v2.0, GeodesyML) (section 2). */
  country: string | null;
  /** Degrees, north positive (section 2). */
  latitude: number | null;
  /** Degrees, east positive, -180 to 180 (section 2). */
  longitude: number | null;
  /** Elevation above the ellipsoid in metres (section 2). */
  elevation: number | null;
}

/**
 * One receiver, antenna, humidity sensor or clock block of a log, not withdrawn. `id` and
 * `configuration` are the contract's own; `from` and `to` are null where the log has no such date.
 */
export type LogItem = {
  [E in EquipmentInUse as E['content']['id']['equipmentType']]: {
    id: E['content']['id'];
    configuration: E['content']['configuration'];
    from: Instant | null;
    to: Instant | null;
    /** The line of the file on which the block begins, from 1. */
    line: number;
  };
}[EquipmentInUse['content']['id']['equipmentType']];

/** A site log as read. */
export interface SiteLog {
  form: SiteLogForm;
  /** Date Prepared, `YYYY-MM-DD` (section 0), or the date in the file's name; null where neither says. */
  datePrepared: string | null;
  identification: SiteIdentification;
  /** By kind in the order of a Setup (receivers, antennas, humidity sensors, clocks), within a kind as listed. */
  items: LogItem[];
}

/** How much a finding matters: `info`, read with a tolerance; `warning`, something was lost; `error`, the log was not read. */
export type FindingLevel = 'info' | 'warning' | 'error';

/** Something in a file that is not as the form wants it. */
export interface Finding {
  /** The file as it was named to the reader. */
  file: string;
  /** The line, from 1. */
  line: number;
  level: FindingLevel;
  /** What is wrong, and what was made of it. */
  message: string;
  /** The offending text, shortened where it is long. */
  text: string;
}

/** The most characters of offending text that a finding repeats. */
const QUOTED_LENGTH = 120;

/** The most findings that are kept of one file. */
const MOST_FINDINGS = 1000;

/** Collects the findings of one file. */
export class Findings {
  readonly list: Finding[] = [];
  constructor(readonly file: string) {}

  /** Notes one finding; `text` is shortened to {@link QUOTED_LENGTH} characters on one line. */
  add(line: number, level: FindingLevel, message: string, text = ''): void {
    // An error is the reason for a rejection, and never left out.
    if (this.list.length > MOST_FINDINGS && level !== 'error') return;
    if (this.list.length === MOST_FINDINGS && level !== 'error') {
      this.list.push({
        file: this.file,
        line,
        level: 'warning',
        message: `more than ${MOST_FINDINGS} findings; the others are not told`,
        text: '',
      });
      return;
    }
    const quoted = text.replace(/\s+/g, ' ').trim();
    this.list.push({
      file: this.file,
      line,
      level,
      message,
      text: quoted.length > QUOTED_LENGTH ? `${quoted.slice(0, QUOTED_LENGTH)}…` : quoted,
    });
  }
}

/**
 * The file cannot be taken: it is no site log, or one that cannot be told to be of a station.
 * `findings` ends with the reason.
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

/** Rejects the file for the reason given, adding it to the findings. */
export function reject(findings: Findings, line: number, message: string, text = '', recognised = true): never {
  findings.add(line, 'error', message, text);
  throw new SiteLogRejected(findings.list, recognised);
}

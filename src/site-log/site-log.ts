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

/** The forms that are text. */
export const TEXT_FORMS = ['IGS site log 1', 'IGS site log 2.0'] as const satisfies SiteLogForm[];

/** Whether a log has a text form. @param form null if there is no log */
export const isTextForm = (form: string | null): boolean =>
  TEXT_FORMS.some((each) => each === form);

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
    /** The number among the items of its section that are read, from 1. */
    item: number;
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

import * as equipment from './equipment.js';
import { MORE_INFORMATION } from './information.js';
import * as meteorology from './meteorology.js';
import type { Section, SectionName } from './section.js';
import * as site from './site.js';
import * as surroundings from './surroundings.js';

export * from './section.js';

/** All sections but the agencies, in the order of the form. */
export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  formInformation: site.FORM,
  siteIdentification: site.IDENTIFICATION,
  siteLocation: site.LOCATION,
  gnssReceivers: equipment.RECEIVERS,
  gnssAntennas: equipment.ANTENNAS,
  surveyedLocalTies: surroundings.LOCAL_TIES,
  frequencyStandards: equipment.FREQUENCY_STANDARDS,
  collocationInformation: surroundings.COLLOCATION,
  humiditySensors: meteorology.HUMIDITY_SENSORS,
  pressureSensors: meteorology.PRESSURE_SENSORS,
  temperatureSensors: meteorology.TEMPERATURE_SENSORS,
  waterVaporSensors: meteorology.WATER_VAPOR_SENSORS,
  otherInstrumentation: meteorology.OTHER_INSTRUMENTATION,
  radioInterferences: surroundings.RADIO_INTERFERENCES,
  multipathSources: surroundings.MULTIPATH_SOURCES,
  signalObstructions: surroundings.SIGNAL_OBSTRUCTIONS,
  localEpisodicEffects: surroundings.EPISODIC_EFFECTS,
  moreInformation: MORE_INFORMATION,
};

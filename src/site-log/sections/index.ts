import { EQUIPMENT } from './equipment.js';
import { INSTRUMENTS } from './instruments.js';
import type { Section, SectionName } from './section.js';
import { AGENCIES } from './parties.js';
import { SITE } from './site.js';
import { SURROUNDINGS } from './surroundings.js';

export * from './section.js';

/** All sections but the agencies, in the order of the form. */
export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  ...SITE,
  ...EQUIPMENT,
  ...INSTRUMENTS,
  ...SURROUNDINGS,
};
/** All sections and the agencies. */
export const ALL_SECTIONS: readonly Section[] = Object.values<Section>({
  ...SECTIONS,
  ...AGENCIES,
});
export { REQUIRED_VALUES } from './required-values.js';

/** The versions of the formats that have several. */

/** RINEX. */
export const RINEX_VERSIONS = ['2.11', '3.04', '3.05', '4.01', '4.02'] as const;
export type RinexVersion = (typeof RINEX_VERSIONS)[number];

/** Station information (STA) of the Bernese GNSS Software. */
export const STA_VERSIONS = ['1.01', '1.03'] as const;
export type StaVersion = (typeof STA_VERSIONS)[number];

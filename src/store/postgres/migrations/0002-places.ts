/** The code of the country of each Site (ISO 3166 alpha-3), and its X, Y, Z in metres. */
export const places = [
  'ALTER TABLE site ADD COLUMN country_code text COLLATE "C"',
  'ALTER TABLE site ADD COLUMN x double precision',
  'ALTER TABLE site ADD COLUMN y double precision',
  'ALTER TABLE site ADD COLUMN z double precision',
];

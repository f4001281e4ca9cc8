/** What is searched of the equipment that each Site no longer uses, and indexes for searches by place. */
export const formerEquipment = [
  `ALTER TABLE site_summary ADD COLUMN former_text text COLLATE "C" NOT NULL DEFAULT ''`,
  'CREATE INDEX site_of_country ON site (country_code)',
  'CREATE INDEX site_position ON site USING gist (point(longitude, latitude))',
];

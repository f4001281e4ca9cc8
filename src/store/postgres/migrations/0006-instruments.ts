/** The Sites whose current logs the next import reads again, for their instruments: pressure sensors, and others that are in no Setup. */
export const instruments = [
  'CREATE TABLE site_to_read (site_id bigint PRIMARY KEY REFERENCES site (id))',
  'INSERT INTO site_to_read SELECT id FROM site',
];

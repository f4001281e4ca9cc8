/** The next import reads the current logs again, for their instruments: pressure sensors, and others that are in no Setup. */
export const instruments = 'INSERT OR IGNORE INTO site_to_read SELECT id FROM site';

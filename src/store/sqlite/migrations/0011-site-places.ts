/**
 * X, Y and Z of each Site, the code of its country, and an index of positions. Logs that are on record have to be read again
 * for these: `site_to_read` lists the Sites whose current log was read by an earlier version.
 */
export const sitePlaces = `
  ALTER TABLE site ADD COLUMN country_code TEXT;
  ALTER TABLE site ADD COLUMN x REAL;
  ALTER TABLE site ADD COLUMN y REAL;
  ALTER TABLE site ADD COLUMN z REAL;
  CREATE INDEX site_of_country ON site (country_code);

  -- The Sites with a known position, each as a box without extent. It rounds outwards to 32 bits.
  CREATE VIRTUAL TABLE site_position USING rtree (site_id, west, east, south, north);
  INSERT INTO site_position SELECT id, longitude, longitude, latitude, latitude FROM site WHERE latitude + longitude IS NOT NULL;
  CREATE TRIGGER site_placed AFTER INSERT ON site WHEN NEW.latitude + NEW.longitude IS NOT NULL BEGIN
    INSERT INTO site_position VALUES (NEW.id, NEW.longitude, NEW.longitude, NEW.latitude, NEW.latitude);
  END;
  CREATE TRIGGER site_moved AFTER UPDATE OF latitude, longitude ON site
  WHEN (NEW.latitude, NEW.longitude) IS NOT (OLD.latitude, OLD.longitude) BEGIN
    DELETE FROM site_position WHERE site_id = OLD.id;
    INSERT INTO site_position SELECT NEW.id, NEW.longitude, NEW.longitude, NEW.latitude, NEW.latitude
    WHERE NEW.latitude + NEW.longitude IS NOT NULL;
  END;
  CREATE TRIGGER site_deleted AFTER DELETE ON site BEGIN
    DELETE FROM site_position WHERE site_id = OLD.id;
  END;

  CREATE TABLE site_to_read (site_id INTEGER PRIMARY KEY REFERENCES site (id)) STRICT;
  INSERT INTO site_to_read SELECT id FROM site;
`;

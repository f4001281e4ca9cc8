/** The contents of files that an import rejected, so that the next one can tell which are new. */
export const rejectedFiles = `
  -- sha256: of the content, in hexadecimal. The last time is exact to the day only, so that an import that finds nothing new writes nothing.
  CREATE TABLE rejected_file (
    sha256            TEXT NOT NULL PRIMARY KEY,
    first_rejected_at TEXT NOT NULL,
    last_rejected_at  TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

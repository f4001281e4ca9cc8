/** The code of each finding, and an index to count them. `codeFindings` adds the codes of the findings on record. */
export const findingCodes = `
  ALTER TABLE finding ADD COLUMN code TEXT;
  CREATE INDEX finding_of_code ON finding (code, level, site_log_id);
`;

/** The forms that {@link parseDuration} reads, for descriptions and messages. */
export const DURATION_FORMS =
  'an ISO 8601 duration in weeks, or in days, hours, minutes and seconds (P1D, PT12H, P1DT6H, P2W)';

const DURATION =
  /^P(?:(\d{1,6})W|(?=[\dT])(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?)$/;
/** The seconds of a week, day, hour, minute and second. */
const UNITS = [604_800, 86_400, 3600, 60, 1];

/**
 * Parses an ISO 8601 duration. Years and months are refused: their lengths differ.
 * @returns its seconds; null if the text is not such a duration
 */
export function parseDuration(text: string): number | null {
  const parts = DURATION.exec(text)?.slice(1);
  return parts === undefined
    ? null
    : parts.reduce(
        (sum, part: string | undefined, index) => sum + Number(part ?? 0) * UNITS[index]!,
        0,
      );
}

/**
 * A host with or without a port (RFC 3986, section 3.2). No character in it can end the authority
 * part of a URL.
 */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/;

/** Whether a text is a host with or without a port. */
export function isHost(text: string): boolean {
  const parts = text.length > 255 ? null : HOST.exec(text);
  return parts !== null && Number(parts[2]?.slice(1) ?? 0) <= 65535;
}

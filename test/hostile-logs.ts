/** Markup that has an effect unless it is escaped. */
export const MARKUP = `<script>alert(1)</script><img src="x" onerror='alert(1)'>&amp;"`;

/** A site log in text form with markup in every field except ids and dates. */
export const hostileText = (log: string): string =>
  log.replace(/^(.{0,30}): *(\S.*)$/gm, (line, label: string) =>
    / ID |Date/.test(label)
      ? line
      : `${label}: ${MARKUP} ${label.trim().replace(/^[\d.]+\s+/, '')}`,
  );

/** A site log in GeodesyML with markup in every element except ids and dates. */
export const hostileXml = (log: string): string =>
  log.replace(
    /<(\w+:(\w+))([^<>]*)>([^<>]+)<\/\1>/g,
    (element, name: string, local: string, attributes: string) =>
      /ID$|date|Position|pos$/i.test(local)
        ? element
        : `<${name}${attributes}><![CDATA[${MARKUP} ${local}]]></${name}>`,
  );

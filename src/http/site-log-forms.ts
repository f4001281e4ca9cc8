import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { SiteLogSections } from '../../schemas/index.js';
import type { KnownPersons } from '../site-log/known-persons.js';
import { type Finding, Findings } from '../site-log/site-log.js';
import { writeSections, type WrittenForm } from '../site-log/write.js';
import type { SiteLogRecord } from '../store/read/logs.js';
import { TEXT_MEDIA_TYPE } from './operations.js';
import type { LeftOut } from '../web/log-page.js';
import { readPublished } from './site-log-sections.js';
import { prefers } from './wire/accept.js';
import { invalidParameter } from './wire/problems.js';

/** The forms in which a log can be requested. */

/** A format in which a log is sent. */
type Format = 'json' | 'geodesyml' | 'text';

const XML_MEDIA_TYPE = 'application/xml';
/** The media types of a log in a form other than JSON. */
export const OTHER_MEDIA_TYPES = [XML_MEDIA_TYPE, TEXT_MEDIA_TYPE];

/** How each form is requested. The first of a format is its default. */
export const FORMS = {
  geodesyml04: { format: 'geodesyml', version: '0.4' },
  geodesyml05: { format: 'geodesyml', version: '0.5' },
  text2: { format: 'text', version: '2.0' },
  text1: { format: 'text', version: '1' },
} as const satisfies Record<WrittenForm, { format: Exclude<Format, 'json'>; version: string }>;
const ALL_FORMS = Object.keys(FORMS) as WrittenForm[];

/** The parameters that choose a form. */
export const formParameters = {
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('geodesyml'), Type.Literal('text')], {
      description:
        'json, geodesyml, or text (the IGS text form). Default: chosen by Accept (application/xml or text/xml: geodesyml; text/plain: text), otherwise json.',
    }),
  ),
  version: Type.Optional(
    Type.Union(
      ALL_FORMS.map((form) => Type.Literal(FORMS[form].version)),
      { description: 'The version of the format. GeodesyML: 0.4 (the default) or 0.5. Text form: 2.0 (the default) or 1.' },
    ),
  ),
};
type FormQuery = Static<TObject<typeof formParameters>> & { projection?: string };

/** The format that a client accepts; GeodesyML rather than text. Clients that also accept JSON get JSON, and so do browsers. */
function acceptedFormat(accept: string | undefined): Format {
  const isPreferred = (types: string[], others: string[] = []): boolean =>
    types.some((type) => prefers(accept, type, ['text/html', 'application/json', 'application/hal+json', ...others]));
  const [xml, text] = [[XML_MEDIA_TYPE, 'text/xml'], ['text/plain']];
  return isPreferred(text, xml) ? 'text' : isPreferred(xml) ? 'geodesyml' : 'json';
}

/** The form that a request asks for; null for JSON. @throws {ProblemError} if the format has no such version, or a parameter is for JSON only */
export function formOf({ format, version, projection }: FormQuery, accept: string | undefined): WrittenForm | null {
  const chosen = format ?? acceptedFormat(accept);
  const forms = ALL_FORMS.filter((form) => FORMS[form].format === chosen);
  const form = version === undefined ? forms[0] : forms.find((each) => FORMS[each].version === version);
  if (version !== undefined && form === undefined) {
    const versions = forms.map((each) => FORMS[each].version).join(' or ');
    const allowed =
      chosen === 'json' ? 'Allowed only with format=geodesyml or format=text.' : `Allowed with format=${chosen}: ${versions}.`;
    throw invalidParameter({ name: 'version', value: version, allowed });
  }
  if (projection !== undefined && form !== undefined) {
    throw invalidParameter({ name: 'projection', value: projection, allowed: 'Allowed only with format=json.' });
  }
  return form ?? null;
}

/** What each form leaves out of a log. @param sections what is published of the log */
export function leftOutOf(sections: SiteLogSections): LeftOut {
  const findingsOf = (form: WrittenForm): Finding[] => {
    const findings = new Findings('');
    writeSections(sections, form, findings);
    return findings.list;
  };
  return Object.fromEntries(ALL_FORMS.map((form) => [form, findingsOf(form)])) as LeftOut;
}

/** A log in a form, with its media type. @param withheld the persons known from all logs; null publishes contacts */
export function writePublished(log: SiteLogRecord, form: WrittenForm, withheld: KnownPersons | null): { text: string; mediaType: string } {
  return {
    text: writeSections(readPublished(log, withheld), form, new Findings(log.name)),
    mediaType: FORMS[form].format === 'geodesyml' ? XML_MEDIA_TYPE : TEXT_MEDIA_TYPE,
  };
}

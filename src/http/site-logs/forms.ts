import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { invalidParameter } from '../../exports/refusals.js';
import { TEXT_MEDIA_TYPE } from '../../exports/site-files.js';
import type { WrittenForm } from '../../site-log/write.js';
import { PLAIN_JSON_MEDIA_TYPE } from '../contract/operations.js';
import { prefers } from '../wire/accept.js';
import { HAL_MEDIA_TYPE } from '../wire/header-fields.js';

/** The forms in which a log can be requested. `written.ts` writes them. */

/** A format in which a log is sent. */
type Format = 'json' | 'geodesyml' | 'text';

const XML_MEDIA_TYPE = 'application/xml';
/** The media types of a log besides HAL. */
export const OTHER_MEDIA_TYPES = [PLAIN_JSON_MEDIA_TYPE, XML_MEDIA_TYPE, TEXT_MEDIA_TYPE];

/** How each form is requested. The first of a format is its default. */
export const FORMS = {
  geodesyml05: { format: 'geodesyml', version: '0.5' },
  geodesyml04: { format: 'geodesyml', version: '0.4' },
  geodesyml06: { format: 'geodesyml', version: '0.6' },
  text2: { format: 'text', version: '2.0' },
  text1: { format: 'text', version: '1' },
} as const satisfies Record<WrittenForm, { format: Exclude<Format, 'json'>; version: string }>;
export const ALL_FORMS = Object.keys(FORMS) as WrittenForm[];
/** Version 2.0, without its zero. */
const SHORT_VERSION = '2';

/** The parameters that choose a form. */
export const formParameters = {
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('geodesyml'), Type.Literal('text')], {
      description:
        'json, geodesyml, or text (the IGS text form). ' +
        'Default: chosen by Accept (application/xml or text/xml: geodesyml; ' +
        'text/plain: text), otherwise json.',
    }),
  ),
  version: Type.Optional(
    Type.Union(
      [...ALL_FORMS.map((form) => FORMS[form].version), SHORT_VERSION].map((version) =>
        Type.Literal(version),
      ),
      {
        description:
          'The version of the format. GeodesyML: 0.5 (the default), 0.4 or 0.6. Text form: 2.0 ' +
          '(or 2) or 1; the default is 2.0 if the site log or its Site has a nine-character id, ' +
          'which version 2.0 needs, otherwise 1.',
      },
    ),
  ),
};
type FormQuery = Static<TObject<typeof formParameters>> & { projection?: string };

/**
 * The format that a client accepts; GeodesyML rather than text. Clients that also accept JSON get
 * JSON, and so do browsers.
 */
function acceptedFormat(accept: string | undefined): Format {
  const isPreferred = (types: string[], others: string[] = []): boolean =>
    types.some((type) =>
      prefers(accept, type, ['text/html', 'application/json', 'application/hal+json', ...others]),
    );
  const xmlTypes = [XML_MEDIA_TYPE, 'text/xml'];
  if (isPreferred(['text/plain'], xmlTypes)) return 'text';
  return isPreferred(xmlTypes) ? 'geodesyml' : 'json';
}

/** What a request asks for. */
export interface RequestedForm {
  /** Null: JSON. */
  form: WrittenForm | null;
  /** Whether the request chooses the version. */
  isExact: boolean;
  mediaType: string;
}

/**
 * The media type of each format. Clients of the reference service that ask for JSON get
 * `application/json`, all others HAL.
 */
const mediaTypeOf = (
  format: FormQuery['format'],
  chosen: Format,
  accept: string | undefined,
): string => {
  if (chosen !== 'json') return chosen === 'text' ? TEXT_MEDIA_TYPE : XML_MEDIA_TYPE;
  const isPlain =
    format === 'json' ||
    prefers(accept, PLAIN_JSON_MEDIA_TYPE, ['application/hal+json', 'text/html']);
  return isPlain ? PLAIN_JSON_MEDIA_TYPE : HAL_MEDIA_TYPE;
};

/**
 * The form that a request asks for.
 * @throws {RequestRefused} if the format has no such version, or a parameter is for JSON only
 */
export function formOf(
  { format, version, projection }: FormQuery,
  accept: string | undefined,
): RequestedForm {
  const chosen = format ?? acceptedFormat(accept);
  const forms = ALL_FORMS.filter((form) => FORMS[form].format === chosen);
  const wanted = version === SHORT_VERSION ? FORMS.text2.version : version;
  const form =
    wanted === undefined ? forms[0] : forms.find((each) => FORMS[each].version === wanted);
  if (version !== undefined && form === undefined) {
    const versions = forms.map((each) => FORMS[each].version).join(', ');
    throw invalidParameter({
      name: 'version',
      value: version,
      reason: `is not a version of format=${chosen}`,
      allowed:
        chosen === 'json'
          ? 'a version with format=geodesyml or format=text.'
          : `${versions} with format=${chosen}.`,
    });
  }
  if (projection !== undefined && form !== undefined) {
    throw invalidParameter({
      name: 'projection',
      value: projection,
      reason: 'is given without format=json',
      allowed: 'a projection with format=json.',
    });
  }
  return {
    form: form ?? null,
    isExact: version !== undefined,
    mediaType: mediaTypeOf(format, chosen, accept),
  };
}

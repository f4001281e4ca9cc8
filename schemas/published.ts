import type { TObject, TSchema } from '@sinclair/typebox';
import { Change, ChangeCollection, Gap } from './change.js';
import { Citation } from './citation.js';
import { COLLECTIONS, EquippedSiteCollection } from './collections.js';
import { Comparison } from './comparison.js';
import { CorsSite, CorsSiteLocation, EquippedSite, Monument } from './cors-site.js';
import * as equipment from './equipment.js';
import {
  ExportedChange,
  ExportedFeedRow,
  ExportedFinding,
  ExportedInstallation,
  ExportedPlace,
  ExportedSetup,
} from './exports.js';
import { Feed, FeedChange, FeedEntry } from './feed.js';
import { SiteFinding, SiteFindingCollection } from './finding.js';
import { HtmlLink, Link, LinkIndex, Page, PageLinks, TemplatedLink } from './hal.js';
import { ComparedLog, LogComparison } from './log-comparison.js';
import { InvalidParameter, Problem } from './problem.js';
import { Health, Readiness } from './service-status.js';
import { SiteLogSections } from './site-log.js';
import { LoggedPeriod, WRITTEN } from './site-log-values.js';
import {
  SiteLogDates,
  SiteLogLinks,
  SiteLogList,
  SiteLogResource,
  SiteLogSummary,
} from './site-log-resource.js';
import { Provenance, SetupGap, SetupList, SiteOfSetup } from './setup.js';

/** The schemas of the sections of a log, by name: one of each, whether a log has one or a list. */
function sectionsOf({ properties }: TObject, prefix: string): Record<string, TSchema> {
  const { form: _, ...sections } = SiteLogSections.properties;
  return Object.fromEntries(
    Object.keys(sections).map((member) => {
      const name = member.replace(/Parties$/, 'Party').replace(/s$/, '');
      const section = properties[member]!;
      return [
        `${prefix}${name[0]!.toUpperCase()}${name.slice(1)}Section`,
        (section.items as TSchema | undefined) ?? section,
      ];
    }),
  );
}

/**
 * The schemas that are published for clients, by name. One that is part of another is referred to
 * there, not repeated.
 */
export const PUBLISHED: Record<string, TSchema> = {
  ...Object.fromEntries(
    COLLECTIONS.flatMap(({ typeName, element, page }) => [
      [typeName, element],
      [`${typeName}Collection`, page],
    ]),
  ),
  EquipmentInUse: equipment.EquipmentInUse,
  InstalledEquipment: equipment.InstalledEquipment,
  ...Object.fromEntries(
    Object.values<equipment.EquipmentKind>(equipment.EQUIPMENT_KINDS).flatMap(
      ({ typeName, id, configuration, inUse, device }) => [
        [typeName, device],
        [`${typeName}Installation`, device.properties.installations!.items as TSchema],
        [`${typeName}InUse`, inUse],
        [`${typeName}Id`, id],
        [`${typeName}Configuration`, configuration],
      ],
    ),
  ),
  SetupList,
  Comparison,
  EquippedSite,
  EquippedSiteCollection,
  Monument,
  CorsSiteLocation,
  ExportedSite: CorsSite,
  ExportedSetup,
  ExportedInstallation,
  ExportedChange,
  ExportedFeedRow,
  ExportedFinding,
  ExportedPlace,
  LoggedPeriod,
  ...WRITTEN,
  ...sectionsOf(SiteLogResource, ''),
  ...sectionsOf(SiteLogSections, 'Written'),
  SiteLogSections,
  SiteLogDocument: SiteLogResource,
  SiteLogDates,
  SiteLogLinks,
  SiteLogSummary,
  SiteLogList,
  ComparedLog,
  LogComparison,
  SiteFinding,
  SiteFindingCollection,
  Change,
  ChangeCollection,
  Gap,
  Feed,
  FeedEntry,
  FeedChange,
  Citation,
  Provenance,
  SiteOfSetup,
  SetupGap,
  Link,
  HtmlLink,
  TemplatedLink,
  LinkIndex,
  Page,
  PageLinks,
  Problem,
  InvalidParameter,
  Health,
  Readiness,
};

const NAMES = new Map(Object.entries(PUBLISHED).map(([name, schema]) => [schema, name]));
/** An optional member is a copy of its schema that has the same `properties`. */
const NAMES_BY_PROPERTIES = new Map(
  Object.entries(PUBLISHED).flatMap(([name, { properties }]) =>
    properties === undefined ? [] : [[properties, name]],
  ),
);
/** The name under which a schema is published; undefined: it is not published. */
export const publishedNameOf = (schema: TSchema): string | undefined =>
  NAMES.get(schema) ?? NAMES_BY_PROPERTIES.get(schema.properties);

/** The stable `$id` of a published schema. */
export const schemaId = (name: string): string => `urn:gnss-site-setups:schema:${name}`;

type Json = Record<string, unknown>;

/**
 * A TypeBox schema as plain JSON Schema: without TypeBox's own symbols, and a union of a simple
 * type with null as one schema of both types, which reads better and serializes faster.
 * @param refer the `$ref` to use for a published schema inside; left out, it is written out, and so
 *   is each literal of a union
 */
export function toPlainSchema(schema: TSchema, refer?: (name: string) => string): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const name = publishedNameOf(value as TSchema);
    if (refer !== undefined && name !== undefined && publishedNameOf(schema) !== name)
      return { $ref: refer(name) };
    const { anyOf, ...rest } = value as Json & { anyOf?: Json[] };
    if (
      refer !== undefined &&
      anyOf?.every((each) => each.type === 'string' && each.const !== undefined)
    ) {
      return { ...rest, type: 'string', enum: anyOf.map((each) => each.const) };
    }
    const [simple, none, ...more] = anyOf ?? [];
    if (
      none?.type === 'null' &&
      more.length === 0 &&
      (simple?.type === 'string' || simple?.type === 'number')
    ) {
      return {
        ...rest,
        ...simple,
        ...(rest.description !== undefined && { description: rest.description }),
        type: [simple.type, 'null'],
      };
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  return walk(schema) as Json;
}

/**
 * A plain schema without `additionalProperties: false`. Published schemas are open: the contract
 * promises new members. They are not opened by `true`, which generators turn into an index
 * signature.
 */
export function opened(schema: Json): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(
      ([key, each]) => key !== 'additionalProperties' || each !== false,
    );
    return Object.fromEntries(members.map(([key, each]) => [key, walk(each)]));
  };
  return walk(schema) as Json;
}

/**
 * A published schema as a JSON Schema document (2020-12), with its stable `$id`. It is open, and
 * has all schemas that it refers to in `$defs`.
 */
export function toJsonSchema(name: string): Json {
  const definitions = new Map<string, Json>();
  const refer = (other: string): string => {
    if (!definitions.has(other)) {
      definitions.set(other, {});
      definitions.set(other, toPlainSchema(PUBLISHED[other]!, refer));
    }
    return `#/$defs/${other}`;
  };
  const schema = toPlainSchema(PUBLISHED[name]!, refer);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(name),
    title: name,
    ...opened(schema),
    ...(definitions.size > 0 && { $defs: opened(Object.fromEntries(definitions)) }),
  };
}

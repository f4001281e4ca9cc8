import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { InvalidParameter } from '../../schemas/index.js';
import { ProblemError } from './problems.js';

/** The schema of a query, or of the parameters of a path: these and no others. */
export const query = (properties: TProperties): TObject => Type.Object(properties, { additionalProperties: false });

/** The most characters of a refused value that the answer repeats. */
const QUOTED_LENGTH = 200;
const quote = (text: string): string => (text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);

/** The value of one parameter as its schema has it; undefined where the text is no such value. */
function parse(schema: TSchema, text: string): string | number | boolean | undefined {
  if (schema.anyOf !== undefined) return (schema.anyOf as TSchema[]).some((each) => each.const === text) ? text : undefined;
  if (schema.const !== undefined) return text === schema.const ? text : undefined;
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (schema.type === 'integer' || schema.type === 'number') {
    if (!(schema.type === 'integer' ? /^\d+$/ : /^-?\d+(\.\d+)?$/).test(text)) return undefined;
    const value = Number(text);
    return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity) ? value : undefined;
  }
  if (text.length < (schema.minLength ?? 0) || text.length > (schema.maxLength ?? Infinity)) return undefined;
  return schema.pattern === undefined || new RegExp(schema.pattern).test(text) ? text : undefined;
}

/** What is allowed for a parameter, in words: what it means, and the limits of its schema. */
function allowedOf(property: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength } = (property.type === 'array' ? property.items : property) as TSchema;
  const limits = [
    (type === 'integer' || type === 'number' || type === 'boolean') &&
      (type === 'integer' ? 'a whole number' : type === 'number' ? 'a number' : 'true or false'),
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    (minLength !== undefined || maxLength !== undefined) && `${minLength ?? 0} to ${maxLength} characters`,
    property.maxItems !== undefined && `at most ${property.maxItems} times`,
  ].filter((each) => each !== false);
  return `${property.description ?? ''}${limits.length === 0 ? '' : ` Allowed: ${limits.join(', ')}.`}`;
}

/**
 * Compiles the schema of a query or of the parameters of a path. Strict: what the schema does not name is refused,
 * and so is a parameter given twice that the schema does not have as an array; the answer names each, its value, and
 * what is allowed.
 */
export function compileParameters(schema: TObject): (raw: unknown) => { value: object } | { error: Error } {
  const properties = Object.entries(schema.properties);
  const required = new Set(schema.required);
  const known = properties.map(([name]) => name).join(', ');

  return (raw) => {
    const given = raw as Record<string, string | string[]>;
    const value: Record<string, unknown> = {};
    const invalid: InvalidParameter[] = [];
    const refuse = (name: string, sent: string | string[] | null, allowed: string): void => {
      invalid.push({
        name: quote(name),
        value: sent === null ? null : Array.isArray(sent) ? sent.slice(0, 10).map(quote) : quote(sent),
        allowed,
      });
    };
    for (const [name, property] of properties) {
      const sent = given[name];
      const allowed = allowedOf(property);
      if (sent === undefined) {
        if (required.has(name)) refuse(name, null, `Required: ${allowed}`);
      } else if (property.type === 'array') {
        const list = [sent].flat().map((text) => parse(property.items as TSchema, text));
        if (list.includes(undefined) || list.length > (property.maxItems ?? Infinity)) refuse(name, sent, allowed);
        value[name] = list;
      } else if (Array.isArray(sent)) {
        refuse(name, sent, `Once only: ${allowed}`);
      } else {
        value[name] = parse(property, sent);
        if (value[name] === undefined) refuse(name, sent, allowed);
      }
    }
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(schema.properties, name)) continue;
      refuse(name, given[name]!, known === '' ? 'No parameters are known here.' : `The parameters known here are: ${known}.`);
      if (invalid.length >= 20) break;
    }
    if (invalid.length === 0) return { value };
    const names = invalid.map(({ name }) => `"${name}"`).join(', ');
    return { error: new ProblemError('invalid-parameter', `Refused: ${names}.`, { invalidParameters: invalid }) };
  };
}

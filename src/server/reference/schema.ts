// Renders a JSON Schema of the OpenAPI document as rows for people: each field with its path, its type and its meaning.

import { html, line, type Html } from './markup.ts';

export type Schema = Readonly<Record<string, unknown>>;

const PREFIX = '#/components/schemas/';

function schemasOf(schema: Schema, key: string): readonly Schema[] {
  return (schema[key] ?? []) as readonly Schema[];
}

function inner(schema: Schema, key: string): Schema | null {
  const value = schema[key];
  return typeof value === 'object' && value !== null ? (value as Schema) : null;
}

/** Returns the name of the component that a schema refers to; null for any other schema. */
export function componentOf(schema: Schema): string | null {
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : null;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'day',
  'date-time': 'time stamp',
  uri: 'address',
};

/** Renders the type in words: `number or null`, `array of Offer`. */
export function typeOf(schema: Schema): Html {
  const name = componentOf(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = [...schemasOf(schema, 'anyOf'), ...schemasOf(schema, 'oneOf')];
  if (choices.length > 0) return joined(choices.map(typeOf), ' or ');
  const items = inner(schema, 'items');
  if (items !== null) return html`array of ${typeOf(items)}`;
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  const format = FORMATS[String(schema['format'])];
  const types = [schema['type'] ?? 'any value'].flat().map(String);
  const words = types.map((type) => (type === 'string' && format !== undefined ? format : type));
  return html`${words.join(' or ')}`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${between}${part}`))}`;
}

/** Renders allowed values, range, default and example. */
export function limitsOf(schema: Schema): readonly Html[] {
  const values = ((schema['enum'] ?? []) as readonly unknown[]).filter((each) => each !== null);
  const { minimum, maximum, default: fallback, example } = schema;
  const range = [
    typeof minimum === 'number' ? `at least ${minimum}` : '',
    typeof maximum === 'number' ? `at most ${maximum}` : '',
  ].filter((each) => each !== '');
  const codes = values.map((each) => html`<code>${textOf(each)}</code>`);
  return [
    ...(values.length === 0 ? [] : [html`One of ${joined(codes, ', ')}.`]),
    ...(range.length === 0 ? [] : [html`${range.join(', ')}.`]),
    ...(fallback === undefined ? [] : [html`Default <code>${textOf(fallback)}</code>.`]),
    ...(example === undefined ? [] : [html`Example: <code>${textOf(example)}</code>.`]),
  ];
}

type FieldRow = {
  readonly name: string;
  readonly type: Html;
  readonly meaning: string;
  readonly notes: readonly Html[];
  /** Anchor for links. */
  readonly id?: string;
};

/** Renders one row of a list of fields, parameters or headers. */
export function row({ name, type, meaning, notes, id }: FieldRow): Html {
  const more = notes.length === 0 ? null : html`<p class="note">${joined(notes, ' ')}</p>`;
  const at = id === undefined ? null : html` id="${id}"`;
  return html`<div class="row" ${at}>
    <dt><code>${name}</code> <span class="type">${type}</span></dt>
    <dd>
      <p>${line(meaning)}</p>
      ${more}
    </dd>
  </div>`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Renders every field of a schema, with its path (`a.b`). A component is a link; its fields are not repeated. */
export function fieldRows(schema: Schema, prefix = ''): readonly Html[] {
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(
    ([name, value]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const isOptional = !((schema['required'] ?? []) as readonly string[]).includes(name);
      const notes = [...limitsOf(value), ...(isOptional ? [html`Not always present.`] : [])];
      const { description = `See ${componentOf(value) ?? 'its type'}.` } = value;
      const meaning = textOf(description);
      return [row({ name: path, type: typeOf(value), meaning, notes }), ...fieldRows(value, path)];
    },
  );
  const items = inner(schema, 'items');
  const values = inner(schema, 'additionalProperties');
  return [
    ...own,
    ...(items === null ? [] : fieldRows(items, `${prefix}[]`)),
    ...(values === null ? [] : fieldRows(values, `${prefix}.*`)),
    ...schemasOf(schema, 'anyOf').flatMap((each) => fieldRows(each, prefix)),
  ];
}

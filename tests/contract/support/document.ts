// Checks answers against the service's own OpenAPI document: which answer it promises to a request, whether an answer
// conforms, and which of its fields were ever seen with a value.

import assert from 'node:assert/strict';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Json = Readonly<Record<string, unknown>>;

type Response = { readonly content?: Readonly<Record<string, { readonly schema: Json }>> };
type Operation = {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, Response>>;
};

type Exchange = {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Json;
};

/** Fields of the documented 200 bodies, and those that were seen with a value. */
export type Fields = { readonly documented: readonly string[]; readonly seen: readonly string[] };

export type Judge = {
  /** Fails when the document does not promise this answer. */
  readonly check: (exchange: Exchange) => void;
  readonly fields: () => Fields;
};

export function createJudge(document: Json): Judge {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const components = document['components'] as Readonly<Record<string, Json>>;
  const validators = new Map<string, ValidateFunction>();
  const seen = new Set<string>();
  // A path without parameters takes precedence over one with them (OpenAPI 3.1, paths object).
  const templates = Object.keys(paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((template) => ({ template, pattern: patternOf(template) }));

  const operationOf = ({ method, target }: Exchange): Operation | null => {
    const path = target.split('?')[0] ?? '';
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const found = templates.find(
      ({ pattern, template }) => pattern.test(path) && paths[template]?.[verb] !== undefined,
    );
    return paths[found?.template ?? '']?.[verb] ?? null;
  };
  // One for all answers: each component is compiled once. With a compiler for each answer and inlined components, this took a
  // twelfth of the processor time of the whole suite.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false });
  ajv.addSchema({ components }, DOCUMENT);
  const validatorOf = (name: string, schema: Json): ValidateFunction => {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const made = ajv.compile(withDocument(schema) as Json);
    validators.set(name, made);
    return made;
  };
  return {
    check: (exchange) => {
      const which = `${exchange.method} ${exchange.target.slice(0, 200)} ${exchange.status}`;
      const operation = operationOf(exchange);
      const response = operation?.responses[String(exchange.status)];
      if (operation === null || isOfEveryRoute(exchange.status)) {
        assert.ok(exchange.status >= 400, `${which}: the document knows no such route`);
        const problem = validatorOf('Problem', { $ref: '#/components/schemas/Problem' });
        assert.ok(problem(exchange.body), `${which}: ${JSON.stringify(problem.errors)}`);
        return;
      }
      assert.ok(response !== undefined, `${which}: the document promises no such status`);
      const content = response.content ?? {};
      const type = exchange.contentType.split(';')[0] ?? '';
      const schema = content[type]?.schema;
      assert.ok(schema !== undefined, `${which}: the document promises no ${type}`);
      if (exchange.method === 'HEAD' || type === 'text/html' || type === 'text/plain') return;
      const name = `${operation.operationId} ${exchange.status} ${type}`;
      const validate = validatorOf(name, schema);
      assert.ok(validate(exchange.body), `${which}: ${JSON.stringify(validate.errors)}`);
      if (exchange.status === 200) note(rootOf(operation, schema), exchange.body, seen);
    },
    fields: () => ({ documented: documentedFields(paths, components), seen: [...seen].sort() }),
  };
}

const DOCUMENT = 'openapi';

/** Returns the schema with its component references pointing into the document. */
function withDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDocument);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: ref, ...rest } = value as { readonly $ref?: string };
  const members = Object.entries(rest).map(([name, each]) => [name, withDocument(each)] as const);
  if (ref !== undefined) members.push(['$ref', `${DOCUMENT}${ref}`]);
  return Object.fromEntries(members);
}

/** Faults that any address can have before a route is known. */
function isOfEveryRoute(status: number): boolean {
  return status === 405 || status === 413 || status === 414;
}

function patternOf(template: string): RegExp {
  const source = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}

/** A component is the same in every answer; an unnamed body belongs to its operation. */
function rootOf(operation: Operation, schema: Json): string {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (ref.split('/').at(-1) ?? ref) : (operation.operationId ?? '');
}

/** Records the path to every existing value: `Root.a.b[].c`; keys of maps are used as they are. */
function note(way: string, value: unknown, seen: Set<string>): void {
  if (value === null || value === undefined) return;
  seen.add(way);
  if (Array.isArray(value)) for (const each of value) note(`${way}[]`, each, seen);
  else if (typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) note(`${way}.${key}`, each, seen);
  }
}

function documentedFields(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  components: Readonly<Record<string, Json>>,
): readonly string[] {
  const found = new Set<string>();
  const schemas = components['schemas'] as Readonly<Record<string, Json>>;
  const walk = (way: string, given: Json | undefined, depth: number): void => {
    if (given === undefined || depth > 12) return;
    const ref = given['$ref'];
    const schema = typeof ref === 'string' ? schemas[ref.split('/').at(-1) ?? ''] : given;
    if (schema === undefined) return;
    for (const name of ['anyOf', 'oneOf', 'allOf']) {
      for (const each of (schema[name] as readonly Json[] | undefined) ?? []) {
        walk(way, each, depth + 1);
      }
    }
    for (const [key, each] of Object.entries((schema['properties'] as Json | undefined) ?? {})) {
      found.add(`${way}.${key}`);
      walk(`${way}.${key}`, each as Json, depth + 1);
    }
    const values = schema['additionalProperties'];
    if (typeof values === 'object' && values !== null) {
      found.add(`${way}.*`);
      walk(`${way}.*`, values as Json, depth + 1);
    }
    if (typeof schema['items'] === 'object') walk(`${way}[]`, schema['items'] as Json, depth + 1);
  };
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const schema = operation.responses?.['200']?.content?.['application/json']?.schema;
    // The elements of an array are the lines of a batch, which is not JSON otherwise.
    if (schema !== undefined && schema['type'] !== 'array') {
      walk(rootOf(operation, schema), schema, 0);
    }
  }
  return [...found].sort();
}

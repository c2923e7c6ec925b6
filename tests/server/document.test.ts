// The OpenAPI document describes every route, parameter, field, header and code, and its examples are the service's
// answers. Every call of tests/contract checks that answers conform to the document.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { exampleCalls } from '../../build/example-calls.ts';
import { produceExamples } from '../../build/produce-examples.ts';
import { FAULT_CODES } from '../../src/base/fault.ts';
import type { Example } from '../../src/server/document/examples.ts';
import {
  operationsOf,
  propertiesOf,
  resolved,
  type Json,
  type Operation,
} from '../support/openapi-walk.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
let document: Json;
let operations: readonly Operation[];
const recorded = JSON.parse(
  readFileSync(new URL('../../assets/examples.json', import.meta.url), 'utf8'),
) as readonly Example[];

before(async () => {
  service = await startService();
  document = (await service.get('/openapi.json')).body;
  operations = operationsOf(document);
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/**
 * Codes that no example call causes: they indicate a bug or a failing store, need changes older than the retention period, or
 * PostgreSQL without a setting.
 */
const NEVER_ON_PURPOSE = ['internal', 'overloaded', 'cursor_expired', 'secrets_key_missing'];

const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 2;
const schemas = (): Readonly<Record<string, Json>> =>
  (document['components'] as { schemas: Record<string, Json> }).schemas;

test('it is an OpenAPI 3.1 document that names every route and the key', () => {
  assert.match(String(document['openapi']), /^3\.1\./);
  assert.deepEqual(Object.keys(document['paths'] as Json).toSorted(), [
    '/livez',
    '/readyz',
    '/v1',
    '/v1/admin/installation',
    '/v1/admin/keys',
    '/v1/admin/keys/{id}/revoke',
    '/v1/admin/keys/{id}/rotate',
    '/v1/admin/queue',
    '/v1/admin/usage',
    '/v1/changes',
    '/v1/channels',
    '/v1/channels/{id}',
    '/v1/channels/{id}/confirm',
    '/v1/channels/{id}/test',
    '/v1/pages',
    '/v1/pages/{id}',
    '/v1/products',
    '/v1/products/batch',
    '/v1/products/{id}',
    '/v1/products/{id}/candidates',
    '/v1/products/{id}/compare',
    '/v1/products/{id}/history',
    '/v1/products/{id}/picture',
    '/v1/products/{id}/refresh',
    '/v1/products/{id}/reviews',
    '/v1/rate-cards',
    '/v1/retailers',
    '/v1/rules',
    '/v1/rules/{id}',
    '/v1/sellers/{seller_id}',
    '/v1/sessions',
    '/v1/sessions/{id}',
    '/v1/usage',
    '/v1/watches',
    '/v1/watches/sparklines',
    '/v1/watches/{id}',
    '/v1/watches/{id}/deliveries',
    '/v1/watches/{id}/deliveries/{delivery}/replay',
    '/v1/watches/{id}/look',
    '/v1/watches/{id}/test',
  ]);
  const { securitySchemes } = document['components'] as Record<string, Json>;
  assert.ok('bearer' in (securitySchemes ?? {}));
});

test('every route has a name, a summary and a description of its own', () => {
  const without = operations
    .filter(({ operationId, summary, description }) =>
      [operationId, summary, description].some((each) => !isText(each)),
    )
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(without, []);
  assert.equal(new Set(operations.map((each) => each.operationId)).size, operations.length);
});

test('every route says its price in tokens, or that it is free', () => {
  const without = operations
    .filter(({ description = '' }) => !/\btokens?\b|\bfree\b/i.test(description))
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(without, []);
});

test('every parameter has a description, and an add-on says its price', () => {
  const without = operations.flatMap(({ method, path, parameters }) =>
    parameters
      .filter(({ name, description = '' }) => {
        const isPriced =
          !/^(?:include|force)_/.test(name) || /\btokens?\b|\bfree\b/i.test(description);
        return !isText(description) || !isPriced;
      })
      .map(({ name }) => `${method} ${path} ${name}`),
  );
  assert.deepEqual(without, []);
});

test('every field of every schema has a description', () => {
  const without = Object.entries(schemas()).flatMap(([name, schema]) =>
    propertiesOf(schema, name)
      .filter(([, property]) => {
        const response = property['description'] ?? resolved(document, property)['description'];
        return !isText(response);
      })
      .map(([way]) => way),
  );
  assert.deepEqual(without, []);
});

test('every answer names its codes, and every code that can be brought about has an example', () => {
  const shared = (document['components'] as { examples: Record<string, Json> }).examples;
  const examples = { ...shared, ...(document['x-other-problems'] as Record<string, Json>) };
  const expected = FAULT_CODES.filter((code) => !NEVER_ON_PURPOSE.includes(code));
  assert.deepEqual(Object.keys(examples).toSorted(), [...expected].toSorted());
  for (const { method, path, responses } of operations) {
    for (const [status, { description, content }] of Object.entries(responses)) {
      const [media] = Object.values(content);
      assert.equal(
        media === undefined,
        method === 'HEAD',
        `${method} ${path} ${status} has a body`,
      );
      if (media === undefined) continue;
      const names = Object.keys(media.examples ?? {});
      if (Number(status) < 400) {
        assert.ok(names.length > 0, `${method} ${path} ${status} has an example`);
        continue;
      }
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
      const missing = codes.filter((code) => !names.includes(code));
      const unexplained = missing.filter((code) => !NEVER_ON_PURPOSE.includes(code));
      assert.deepEqual(unexplained, [], `${method} ${path} ${status}`);
    }
  }
});

test('every route, health included, documents that it takes no body and that an address can be too long', async () => {
  for (const { operationId, responses } of operations) {
    for (const status of ['413', '414']) assert.ok(responses[status], `${operationId} ${status}`);
  }
  assert.equal((await service.get(`/readyz?a=${'a'.repeat(9_000)}`)).status, 414);
});

test('every example is as its schema says', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { method, path, responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      for (const { schema, examples = {} } of Object.values(content)) {
        const validate = ajv.compile({ ...schema, components: document['components'] });
        for (const [name, example] of Object.entries(examples)) {
          const { value } = resolved(document, example);
          const which = `${method} ${path} ${status} ${name}`;
          assert.ok(validate(value), `${which}: ${JSON.stringify(validate.errors)}`);
        }
      }
    }
  }
});

/** Returns each part of the document that has an `example`, with its schema: a schema itself, a parameter, a header. */
function withExample(
  part: unknown,
  path = '',
): readonly (readonly [path: string, part: object & { readonly example?: unknown }])[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.entries(part)
    // The value of a recorded example is data, and `examples` are checked above.
    .filter(([name]) => name !== 'example' && name !== 'examples' && name !== 'x-other-problems')
    .flatMap(([name, each]) => withExample(each, `${path}/${name}`));
  return 'example' in part ? [[path, part], ...inner] : inner;
}

test('the example of a schema, a parameter or a header has the type of its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const found = withExample(document);
  assert.ok(found.length > 60, `${found.length} examples`);
  for (const [path, part] of found) {
    const { schema = part } = part as { readonly schema?: Json };
    const validate = ajv.compile({ ...schema, components: document['components'] });
    const why = () => `${path} ${JSON.stringify(part.example)} ${ajv.errorsText(validate.errors)}`;
    assert.ok(validate(part.example), why());
  }
});

/** Answered again by today's code: the recorded ones may be from older code. */
let answered: Promise<readonly Example[]> | undefined;
function answeredNow(): Promise<readonly Example[]> {
  return (answered ??= produceExamples(exampleCalls));
}

const ONE_OF_EACH_KIND = [
  'getProduct 200 barcode',
  'getPriceHistory 200 month',
  'compareProduct 200 profit',
  'lookUpBatch 200 product',
  'lookUpBatch 200 problem',
  'getProduct 404 not_found',
];

test('a product, a history, a comparison, the lines of a batch and a problem are as their schemas say', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const made = await answeredNow();
  for (const which of ONE_OF_EACH_KIND) {
    const [operationId, status = '', name] = which.split(' ');
    const operation = operations.find((each) => each.operationId === operationId);
    // The recorded answer of a batch is one of its lines.
    const media = Object.values(operation?.responses[status]?.content ?? {}).at(-1);
    assert.ok(media !== undefined, `${which}: the document has no such answer`);
    const example = made.find(
      (each) =>
        each.operation === operationId && each.status === Number(status) && each.name === name,
    );
    assert.ok(example !== undefined, `${which}: the service does not answer so`);
    const validate = ajv.compile({ ...media.schema, components: document['components'] });
    assert.ok(validate(example.body), `${which}: ${JSON.stringify(validate.errors)}`);
  }
});

test('every header of ours that an answer carries is documented for it, and every required one is there', () => {
  for (const example of recorded) {
    const operation = operations.find((each) => each.operationId === example.operation);
    if (operation === undefined) continue;
    const headers = operation.responses[String(example.status)]?.headers ?? {};
    const response = Object.keys(headers).map((name) => name.toLowerCase());
    const which = `${example.operation} ${example.status} ${example.name}`;
    for (const name of Object.keys(example.headers))
      assert.ok(response.includes(name), `${which} ${name}`);
    for (const [name, header] of Object.entries(headers)) {
      if (header['required'] !== true) continue;
      assert.ok(name.toLowerCase() in example.headers, `${which} lacks ${name}`);
    }
  }
});

test('the examples are what the service answers (npm run docs -- examples writes them again)', async () => {
  assert.deepEqual(JSON.parse(JSON.stringify(await answeredNow())), recorded);
});

/** Rows of an array are a separate component that contains their fields. */
const inComponent = (path: string): string => path.split('[].').at(-1) ?? path;

test('the fields of which docs/compatibility.md says that no source exposes them are documented ones', () => {
  const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Fields that no known source exposes\n');
  const named = [...section.matchAll(/^- `([^`]+)`/gm)].map(([, name = '']) => inComponent(name));
  const documented = Object.entries(schemas()).flatMap(([name, schema]) =>
    propertiesOf(schema, name).map(([way]) => way),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((name) => !documented.some((way) => way === name || way.endsWith(`.${name}`))),
    [],
  );
});

test('a page of an origin that may call reads every header that the document explains', async () => {
  const origin = 'https://console.example.com';
  await using open = await startService({ env: { OPENSHELF_CORS_ORIGINS: origin } });
  const asked = await fetch(`${open.url}/v1/usage`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  const names = (list: string | null) => (list ?? '').split(',').map((each) => each.trim());
  const sendable = names(asked.headers.get('access-control-allow-headers'));
  for (const { parameters } of operations) {
    const headers = parameters.filter((each) => each.in === 'header');
    for (const { name } of headers) assert.ok(sendable.includes(name), name);
  }
  const answer = await open.get('/v1/usage', { origin });
  const readable = names(answer.headers.get('access-control-expose-headers'));
  const response = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
  );
  assert.deepEqual(readable.toSorted(), [...new Set(response)].toSorted());
});

test('what checkers of such documents ask for: tags, contact, security, and nothing that nobody uses', () => {
  const text = JSON.stringify(document);
  const tags = (document['tags'] as readonly { name: string; description: string }[]).map(
    ({ name, description }) => {
      assert.ok(description.length > 10, name);
      return name;
    },
  );
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const ids: string[] = [];
  for (const [path, item] of Object.entries(paths)) {
    assert.equal('get' in item, 'head' in item, `${path}: HEAD wherever there is GET`);
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method} ${path}`;
      ids.push(String(operation['operationId']));
      const own = operation['tags'] as readonly string[];
      assert.ok(own.length === 1 && tags.includes(own[0] ?? ''), name);
      assert.ok(Array.isArray(operation['security']), `${name} says whether it needs a key`);
      const statuses = Object.keys(operation['responses'] as Json);
      assert.ok(
        statuses.some((status) => status.startsWith('4')),
        `${name} has a 4xx answer`,
      );
    }
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.ok((document['info'] as Json)['contact'] !== undefined);
  const components = document['components'] as Readonly<Record<string, Json>>;
  for (const [kind, all] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(all)) {
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind} ${name} is used`);
    }
  }
  const headers = components['headers'] as Readonly<
    Record<string, { schema: Json; example?: unknown }>
  >;
  for (const [name, { schema, example }] of Object.entries(headers)) {
    if (example === undefined) continue;
    assert.equal(typeof example, schema['type'] === 'integer' ? 'number' : 'string', name);
  }
});

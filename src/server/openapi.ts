// The OpenAPI document: the route table with its schemas, and what all routes share (introduction, headers, and the
// examples of their errors).

import type { z } from 'zod';

import { tokensInWords } from '../base/call-cost.ts';
import { FAULT_CODES, type FaultCode } from '../base/fault.ts';
import { Problem } from '../answer/wire/problem.ts';
import { codeSamples, type CodeSample, type SampledOperation } from './document/code-samples.ts';
import { answerHeaders, HEADERS, REQUEST_ID_PARAMETER } from './document/document-headers.ts';
import type { Example } from './document/examples.ts';
import { INTRODUCTION, TAGS } from './document/introduction.ts';
import { createSchemaBook, type SchemaBook } from './document/json-schemas.ts';
import { FAULT_STATUS } from './problems/fault-status.ts';
import type { METHODS, Route, RouteAnswer } from './route.ts';
import { routesByPath } from './routes-by-path.ts';

type Media = {
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
};

export type DocumentedResponse = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
};

export type DocumentedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  /** Samples of the first example's call; absent if there is no example. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
};

type PathItem = Readonly<Partial<Record<(typeof METHODS)[number] | 'head', DocumentedOperation>>>;

/** Returns the OpenAPI 3.1 document of the routes, with recorded answers as its examples. */
export function openApiDocument<Parts>(
  routes: readonly Route<Parts>[],
  version: string,
  examples: readonly Example[],
) {
  const book = createSchemaBook();
  // In table order, which the components then have too.
  const operations = new Map(
    routes.map((each) => [each, completed(operationOf(each, book), examples, each.path)]),
  );
  const paths = routesByPath(routes).map(([path, all]): readonly [string, PathItem] => {
    const documented = all.flatMap((each) => {
      const operation = operations.get(each);
      if (operation === undefined) return [];
      const own = [[each.method, operation] as const];
      return each.method === 'get' ? [...own, ['head', headOf(operation)] as const] : own;
    });
    return [path, Object.fromEntries(documented)];
  });
  const problems = problemExamples(examples);
  const text = JSON.stringify(paths);
  const isUsed = ([name]: readonly [string, unknown]) =>
    text.includes(`"#/components/examples/${name}"`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'openshelf',
      version,
      description: INTRODUCTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `osk_...`, created with `openshelf keys create`.',
        },
      },
      schemas: book.components(),
      parameters: { 'X-Request-Id': REQUEST_ID_PARAMETER },
      headers: headersWith(examples),
      examples: Object.fromEntries(problems.filter(isUsed)),
    },
    // Examples of codes that no route lists, such as that of an unknown route.
    'x-other-problems': Object.fromEntries(problems.filter((each) => !isUsed(each))),
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

function operationOf<Parts>(row: Route<Parts>, { write }: SchemaBook): DocumentedOperation {
  const { path, scope, request, answer, otherAnswers = {}, faults } = row;
  const { body } = request;
  const answers = Object.entries({ 200: answer, ...otherAnswers });
  const documented = answers.map(([status, each]) => [status, responseOf(each, write)] as const);
  const responses = Object.fromEntries([...documented, ...faultResponses(faults, write)]);
  return {
    operationId: row.operationId,
    tags: TAGS.filter(({ of }) => of.test(path))
      .map(({ name }) => name)
      .slice(0, 1),
    summary: row.summary,
    description: [priceSentence(row), row.description].filter(Boolean).join(' '),
    security: scope === 'no key' ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf(request.params, 'path', write),
      ...parametersOf(request.query, 'query', write),
      ...parametersOf(request.headers, 'header', write),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            ...('description' in body ? { description: body.description } : {}),
            content: mediaOf(body.type, write(body.schema, 'input')),
          },
        }),
    responses,
  };
}

/** Returns the price of a call, as the first sentence of its description. */
function priceSentence<Parts>({ price, priceInWords, scope }: Route<Parts>): string {
  if (priceInWords !== undefined) return priceInWords;
  if (price.kind !== 'free') return `${tokensInWords(price)}.`;
  return scope === 'no key' ? 'Free, without a key.' : 'Free.';
}

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  write: SchemaBook['write'],
): readonly unknown[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = write(schema, 'input') as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(each.description === undefined ? {} : { description: each.description }),
    schema: each,
  }));
}

function responseOf(
  { description, schema, type }: RouteAnswer,
  write: SchemaBook['write'],
): DocumentedResponse {
  return { description, content: mediaOf(type ?? 'application/json', write(schema, 'output')) };
}

/** JSON lines may be an array instead. It comes first, since generators take the first form that they know. */
function mediaOf(type: NonNullable<RouteAnswer['type']> | 'application/json', schema: unknown) {
  if (type === 'application/json') return { [type]: { schema } };
  const array = { type: 'array', items: schema };
  return { 'application/json': { schema: array }, [type]: { schema } };
}

/** Returns one response for each status; its description lists the codes. `completed` adds the examples. */
function faultResponses(
  codes: readonly FaultCode[],
  write: SchemaBook['write'],
): readonly (readonly [status: string, DocumentedResponse])[] {
  const listed = FAULT_CODES.filter((each) => codes.includes(each));
  const byStatus = Map.groupBy(listed, (code) => FAULT_STATUS[code]);
  return [...byStatus].map(([status, some]) => {
    const examples = some.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
    const media = { schema: write(Problem, 'output'), examples: Object.fromEntries(examples) };
    const description = some.map((code) => `\`${code}\``).join(', ');
    return [String(status), { description, content: { 'application/problem+json': media } }];
  });
}

/** `HEAD` returns the same head as `GET` at the same price, without a body. */
function headOf(get: DocumentedOperation): DocumentedOperation {
  const { 'x-codeSamples': _, ...same } = get;
  const { operationId, summary, description: does, responses } = get;
  const bare = Object.entries(responses).map(([status, { description, headers }]) => {
    return [status, headers === undefined ? { description } : { description, headers }] as const;
  });
  return {
    ...same,
    operationId: `head${operationId.replace(/^(?:get|list)/, '').replace(/^./, (first) => first.toUpperCase())}`,
    summary: `${summary}: headers only`,
    description: `Has the same effect and price as \`GET\`; the response has no body.\n\n${does}`,
    responses: Object.fromEntries(bare),
  };
}

function completed(
  operation: DocumentedOperation,
  examples: readonly Example[],
  template: string,
): DocumentedOperation {
  const own = examples.filter((each) => each.operation === operation.operationId);
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const answers = own.filter((each) => String(each.status) === status);
    const content = Object.entries(response.content ?? {}).map(
      ([type, media]) => [type, { ...media, ...examplesOf(media, answers, examples) }] as const,
    );
    const headers = answerHeaders(operation, status);
    return [status, { ...response, headers, content: Object.fromEntries(content) }] as const;
  });
  return {
    ...operation,
    parameters: [...operation.parameters, { $ref: '#/components/parameters/X-Request-Id' }],
    responses: Object.fromEntries(responses),
    ...samplesOf(operation, own, template),
  };
}

/** Returns samples of the first recorded call that was answered. */
function samplesOf(
  { security, parameters }: DocumentedOperation,
  own: readonly Example[],
  template: string,
): Pick<DocumentedOperation, 'x-codeSamples'> {
  const first = own.find((each) => !isProblem(each));
  if (first === undefined) return {};
  const { method, path, headers, body } = first.request;
  const needsKey = security.length > 0;
  const operation = {
    template,
    needsKey,
    parameters: parameters as SampledOperation['parameters'],
  };
  const contentType = headers['content-type'] ?? null;
  return { 'x-codeSamples': codeSamples(operation, { method, path, contentType, body }) };
}

/**
 * Returns the route's recorded answers. A code without a recorded answer for the route gets the example of another route.
 */
function examplesOf(
  media: Media,
  answers: readonly Example[],
  all: readonly Example[],
): Pick<Media, 'examples'> {
  const borrowed = Object.entries(media.examples ?? {}).filter(([code]) =>
    all.some((each) => isProblem(each) && each.name === code),
  );
  // An example of a batch is one line of it.
  const isArray = (media.schema as { readonly type?: unknown }).type === 'array';
  const own = answers.map(({ body, ...each }) => {
    return [each.name, exampleObject({ ...each, body: isArray ? [body] : body })] as const;
  });
  const together = Object.fromEntries([...borrowed, ...own]);
  return { examples: together };
}

function isProblem({ status }: Example): boolean {
  return status >= 400;
}

type Shown = Pick<Example, 'summary' | 'request'> & { readonly body: unknown };

function exampleObject({ summary, request, body }: Shown) {
  const { method, path } = request;
  return { summary, description: `${method} ${path}`, value: body };
}

/** Returns one example for each code: the first one recorded. */
function problemExamples(examples: readonly Example[]) {
  const problems = examples.filter(isProblem).toReversed();
  const byName = new Map(problems.map((each) => [each.name, exampleObject(each)]));
  return [...byName];
}

/** Returns the headers, each with an example value from a recorded answer. */
function headersWith(examples: readonly Example[]) {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => {
      const value = examples.map(({ headers }) => headers[name.toLowerCase()]).find(Boolean);
      if (value === undefined) return [name, header];
      const isNumber = header.schema.type === 'integer';
      return [name, { ...header, example: isNumber ? Number(value) : value }];
    }),
  );
}

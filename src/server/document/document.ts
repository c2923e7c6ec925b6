// The OpenAPI document: the definitions of the routes, and what all of them share (introduction, headers, and the
// examples of their errors).

import { codeSamples, type CodeSample, type SampledOperation } from './code-samples.ts';
import type { Api } from '../context.ts';
import { answerHeaders, HEADERS, REQUEST_ID_PARAMETER } from './document-headers.ts';
import type { Example } from './examples.ts';

export type Media = {
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
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly unknown[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  /** Samples of the call of the first example; absent where there is no example. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
};

/** In the order of the document. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const;

type RawDocument = ReturnType<Api['getOpenAPI31Document']>;
type PathItem = NonNullable<RawDocument['paths']>[string];

/** The OpenAPI 3.1 document of the routes, with recorded answers as its examples. */
export function openApiDocument(api: Api, version: string, examples: readonly Example[]) {
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'openshelf',
      version,
      description: introduction,
      contact: { name: 'The operator of this installation' },
      license: {
        name: 'Apache-2.0',
        url: 'https://www.apache.org/licenses/LICENSE-2.0',
      },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
  });
  const paths = Object.entries(document.paths ?? {})
    .map(([path, item]) => [path, completePath(path, item, examples)] as const)
    .sort(([one], [other]) => rankOf(one) - rankOf(other));
  const problems = problemExamples(examples);
  const text = JSON.stringify(paths);
  const isUsed = ([name]: readonly [string, unknown]) =>
    text.includes(`"#/components/examples/${name}"`);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      parameters: { ...document.components?.parameters, 'X-Request-Id': REQUEST_ID_PARAMETER },
      headers: headersWith(examples),
      examples: Object.fromEntries(problems.filter(isUsed)),
    },
    // Examples of codes that no route lists, as that of an unknown route.
    'x-other-problems': Object.fromEntries(problems.filter((each) => !isUsed(each))),
  };
}

const ORDER = [/^\/v1\/products/, /^\/v1\/sellers/, /^\/v1/];

/** Product routes first; within a rank the routes are in the order in which they were added. */
function rankOf(path: string): number {
  const rank = ORDER.findIndex((each) => each.test(path));
  return rank === -1 ? ORDER.length : rank;
}

/** The sections of the document, by what a path begins with. */
const TAGS = [
  {
    name: 'Products',
    of: /^\/v1\/products/,
    description: 'One record for a product, fetched or held; its history and reviews.',
  },
  { name: 'Sellers', of: /^\/v1\/sellers/, description: 'Profiles of sellers met in offers.' },
  {
    name: 'Installation',
    of: /^\/v1/,
    description: 'What this installation has: routes, retailers, rate cards, tokens. Free.',
  },
  { name: 'Health', of: /^\//, description: 'What a load balancer asks. Free, without a key.' },
] as const;

function completePath(path: string, item: PathItem, examples: readonly Example[]): PathItem {
  const tags = TAGS.filter(({ of }) => of.test(path)).map(({ name }) => name);
  const operations = METHODS.flatMap((method) => {
    const operation = item[method] as DocumentedOperation | undefined;
    if (operation === undefined) return [];
    const tagged = { ...operation, tags: operation.tags ?? tags.slice(0, 1) };
    const complete = completed(tagged, examples, path);
    const own = [[method, complete] as const];
    return method === 'get' ? [...own, ['head', headOf(complete)] as const] : own;
  });
  return { ...item, ...Object.fromEntries(operations) };
}

/** `HEAD` answers whatever `GET` does, and costs as much, without a body. */
function headOf(get: DocumentedOperation): DocumentedOperation {
  const { 'x-codeSamples': _, ...same } = get;
  const { operationId, summary = '', description: does = '', responses } = get;
  const bare = Object.entries(responses).map(([status, { description, headers }]) => {
    return [status, headers === undefined ? { description } : { description, headers }] as const;
  });
  return {
    ...same,
    operationId: `head${operationId.replace(/^(?:get|list)/, '').replace(/^./, (first) => first.toUpperCase())}`,
    summary: `${summary}: the headers alone`,
    description: `Does and costs what \`GET\` does; the answer has no body.\n\n${does}`,
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
    parameters: [...(operation.parameters ?? []), { $ref: '#/components/parameters/X-Request-Id' }],
    responses: Object.fromEntries(responses),
    ...samplesOf(operation, own, template),
  };
}

/** Samples of the first recorded call that was answered. */
function samplesOf(
  { security = [], parameters = [] }: DocumentedOperation,
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
 * The recorded answers of the route. A code that the route has no recorded answer for gets the example of another
 * route.
 */
function examplesOf(
  media: Media,
  answers: readonly Example[],
  all: readonly Example[],
): Pick<Media, 'examples'> {
  const borrowed = Object.entries(media.examples ?? {}).filter(([code]) =>
    all.some((each) => isProblem(each) && each.name === code),
  );
  const own = answers.map((each) => [each.name, exampleObject(each)] as const);
  const together = Object.fromEntries([...borrowed, ...own]);
  return { examples: together };
}

function isProblem({ status }: Example): boolean {
  return status >= 400;
}

function exampleObject({ summary, request, body }: Example) {
  const { method, path } = request;
  return { summary, description: `${method} ${path}`, value: body };
}

/** One example for each code: the first that was recorded. */
function problemExamples(examples: readonly Example[]) {
  const problems = examples.filter(isProblem).toReversed();
  const byName = new Map(problems.map((each) => [each.name, exampleObject(each)]));
  return [...byName];
}

/** The headers, each with an example value from a recorded answer. */
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

/** Paragraphs of the introduction. Backticks, and asterisks around first words, are the only markup. */
const introduction = [
  'Send the address of a product page or an identifier (barcode, ISBN, ASIN, item id) and get one normalized product ' +
    'record, with price history, live offers, reviews and seller profiles.',
  '**Keys.** Every route below `/v1` needs the header `Authorization: Bearer osk_live_...`. A missing, unknown, expired or ' +
    'revoked key is 401; a key without the scope that the call needs is 403.',
  '**Tokens.** Each call has a price in tokens. An organization has a number of tokens for each calendar month (UTC). Only ' +
    '2xx answers are billed; each states `tokens_consumed` and `tokens_remaining`. Errors have `tokens_consumed: 0`.',
  '**Unknown is null.** A field that is not known is null; it is never left out and never guessed. A field that a ' +
    'parameter adds is absent without that parameter. An empty list is `[]`.',
  '**Units.** Prices are US dollars with at most two decimals; they are null when the listing is out of stock or in ' +
    'another currency. Weights are in pounds, lengths in inches. Time stamps are ISO 8601 and days `YYYY-MM-DD`, all ' +
    'in UTC.',
  '**Parameters.** A boolean is `true`, `false` (any letter case), `1` or `0`. An unknown name, an invalid value and a name ' +
    'given twice are 400. `HEAD` answers wherever `GET` does, with the same headers and the same price.',
  '**Errors** are `application/problem+json`. Branch on `code`, which is stable; `detail` says what happened and what to ' +
    'do. With `Retry-After`, the same call may succeed after that many seconds.',
  '**Retailers** have neutral names: `retailer_w`, `retailer_a`, `retailer_e`, `retailer_l`, `retailer_t`, `retailer_b`, ' +
    '`retailer_h`. Any other shop is named by the first label of its domain. The examples are recorded answers of this ' +
    'service on its simulated retailers; hosts of retailers are written as `www.retailer-w.example`.',
].join('\n\n');

// The OpenAPI document: what the routes are validated with, completed by what holds for all of them. A new route
// gets its headers and the examples of its errors from here.

import type { Api } from './context.ts';
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
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly unknown[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
};

/** Reads every operation of a path, in the order of the document. */
const METHODS = ['get', 'post', 'put', 'delete'] as const;

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
      license: {
        name: 'Apache-2.0',
        url: 'https://www.apache.org/licenses/LICENSE-2.0',
      },
    },
    servers: [{ url: '/' }],
  });
  const paths = Object.entries(document.paths ?? {})
    .map(([path, item]) => [path, completePath(item, examples)] as const)
    .sort(([one], [other]) => rankOf(one) - rankOf(other));
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      parameters: { ...document.components?.parameters, 'X-Request-Id': REQUEST_ID_PARAMETER },
      headers: headersWith(examples),
      examples: problemExamples(examples),
    },
  };
}

const ORDER = [/^\/v1\/products/, /^\/v1\/sellers/, /^\/v1/];

/** What people come for first; within that as the routes were added. */
function rankOf(path: string): number {
  const rank = ORDER.findIndex((each) => each.test(path));
  return rank === -1 ? ORDER.length : rank;
}

function completePath(item: PathItem, examples: readonly Example[]): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method] as DocumentedOperation | undefined;
    return operation === undefined ? [] : [[method, completed(operation, examples)] as const];
  });
  return { ...item, ...Object.fromEntries(operations) };
}

function completed(
  operation: DocumentedOperation,
  examples: readonly Example[],
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
  };
}

/** Its own answers; of the codes that `faultResponses` names, those of other routes where it has none. */
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

/** One example a code: the first that was recorded. */
function problemExamples(examples: readonly Example[]) {
  const problems = examples.filter(isProblem).toReversed();
  return Object.fromEntries(problems.map((each) => [each.name, exampleObject(each)]));
}

/** Headers with a value that was really sent. */
function headersWith(examples: readonly Example[]) {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => {
      const value = examples.map(({ headers }) => headers[name.toLowerCase()]).find(Boolean);
      return [name, value === undefined ? header : { ...header, example: value }];
    }),
  );
}

/** Paragraphs; `code` is the only markup. */
export const introduction = [
  'One normalized product record from a product-page address or an identifier, with price history, live offers, ' +
    'reviews and seller profiles.',
  'Key. Every route below `/v1` takes `Authorization: Bearer osk_live_...`. A missing, unknown, expired or revoked ' +
    'key is 401; a key without the scope that a call needs is 403.',
  'Tokens. Each call has a price in tokens, counted for an organization and a calendar month (UTC). Only 2xx answers ' +
    'are billed. Each of them says `tokens_consumed` and `tokens_remaining`; an error says `tokens_consumed: 0`.',
  'Unknown is null. A field that is not known is null, never left out and never guessed. A field that must be asked ' +
    'for is absent until it is. A list of nothing is `[]`.',
  'Units. Prices are US dollars with at most two decimals, null when the listing is out of stock or priced in ' +
    'another currency. Weights are pounds, lengths inches. Time stamps are ISO 8601 in UTC, days `YYYY-MM-DD` in UTC.',
  'Parameters. A boolean is `true`, `false` (any letter case), `1` or `0`. A name that the route does not know, a ' +
    'value that does not fit and a name given twice are 400. No route takes a body.',
  'Errors are `application/problem+json`. Branch on `code`, which is stable; `detail` says what to do next. Where ' +
    '`Retry-After` is sent, the same call may work after so many seconds.',
  'Retailers go by neutral names: `retailer_w`, `retailer_a`, `retailer_e`, `retailer_l`, `retailer_t`, ' +
    '`retailer_b`, `retailer_h`; any other shop by the first label of its domain. The examples were answered by ' +
    'this service on its simulated shops; hosts of retailers are written as `www.retailer-w.example` there.',
].join('\n\n');

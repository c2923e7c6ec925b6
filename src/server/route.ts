// What a row of the table of routes says. Requests are validated with it, the OpenAPI document and the lists of routes
// are made from it, and it is the only place that says which key a route needs and what a call costs.

import type { Context } from 'hono';
import type { z } from 'zod';

import type { PricedCall } from '../base/call-cost.ts';
import type { FaultCode } from '../base/fault.ts';
import type { Scope } from '../base/scopes.ts';
import type { HttpEnv } from './context.ts';

/** In the order of the document. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** The schemas of what a call sends. What they make of it is handed to the call. */
export type RouteRequest = {
  /** Segments of the path; absent where it has none, or where they are read from the address. */
  readonly params?: z.ZodObject;
  readonly query: z.ZodObject;
  /** Headers that are validated; others are ignored. */
  readonly headers?: z.ZodObject;
  readonly body?: RequestBody;
};

/** A body of JSON lines is read by the route itself; the schema is that of a line. */
type RequestBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodObject }
  | {
      readonly type: 'application/x-ndjson';
      readonly schema: z.ZodObject;
      readonly description: string;
    };

/** A body in an answer. */
export type RouteAnswer<Schema extends z.ZodType = z.ZodType> = {
  readonly description: string;
  readonly schema: Schema;
  /** `application/json` unless it says otherwise. */
  readonly type?: 'application/x-ndjson';
};

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined;

/** What a call sent, as the schemas of its route read it. */
export type ParsedRequest<Request extends RouteRequest> = {
  /** `GET /v1/products/{id}`: what the route is called in the ledger. */
  readonly route: string;
  readonly params: Parsed<Request['params']>;
  readonly query: z.output<Request['query']>;
  /** Undefined where the route takes no JSON. */
  readonly body: Request['body'] extends {
    readonly type: 'application/json';
    readonly schema: infer Schema;
  }
    ? Parsed<Schema>
    : undefined;
};

declare const BODY: unique symbol;

/** An answer whose body is of this type. No answer has a property of this name; it is for the compiler alone. */
export type AnswerOf<Body> = Response & { readonly [BODY]?: Body };

type Handler<Request extends RouteRequest, Body> = (
  c: Context<HttpEnv>,
  asked: ParsedRequest<Request>,
) => AnswerOf<Body> | Promise<AnswerOf<Body>>;

type RouteFacts = {
  readonly method: (typeof METHODS)[number];
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Without its price, which stands before it in the document. */
  readonly description?: string;
  /** What a key must be allowed to do; `any key` will do, or `no key` is needed. */
  readonly scope: Scope | 'any key' | 'no key';
  /** What a call without parameters costs. */
  readonly price: PricedCall;
  /** The price as a sentence, where the number of tokens alone does not say all. */
  readonly priceInWords?: string;
  /** Codes of the faults that it can answer with. */
  readonly faults: readonly FaultCode[];
  /** Answers other than 200 that are no faults, by status. */
  readonly otherAnswers?: Readonly<Record<number, RouteAnswer>>;
};

/** A row of the table. `call` is given the parts once, and makes what answers each call. */
export type Route<Parts> = RouteFacts & {
  readonly request: RouteRequest;
  readonly answer: RouteAnswer;
  readonly call: (parts: Parts) => Handler<RouteRequest, unknown>;
};

/** Makes a row whose call fits its schemas. */
export function route<Parts, const Request extends RouteRequest, const Schema extends z.ZodType>(
  row: RouteFacts & {
    readonly request: Request;
    readonly answer: RouteAnswer<Schema>;
    readonly call: (parts: Parts) => Handler<Request, z.output<Schema>>;
  },
): Route<Parts> {
  return row;
}

/** `GET /v1/products/{id}`: what a route is called in the ledger and in lists. */
export function routeName({ method, path }: Pick<RouteFacts, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

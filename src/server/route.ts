// Defines a row of the route table. Requests are validated with it, the OpenAPI document and the route lists are generated
// from it, and it alone states which key a route needs and what a call costs.

import type { z } from 'zod';

import type { PricedCall } from '../base/call-cost.ts';
import type { FaultCode } from '../base/fault.ts';
import type { Scope } from '../base/scopes.ts';
import type { Caller } from '../data/metering/metering.ts';
import type { Answer, Headers } from './answer.ts';
import type { BilledCall } from './bill.ts';
import type { Call } from './call.ts';

/** In the order of the document. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** The schemas of a call's input. Their results are passed to the call. */
export type RouteRequest = {
  /** Path segments; absent if it has none, or they are read from the address. */
  readonly params?: z.ZodObject;
  readonly query: z.ZodObject;
  /** Headers that are validated; others are ignored. */
  readonly headers?: z.ZodObject;
  readonly body?: RequestBody;
};

/** A body of JSON lines is read by the route itself; the schema describes one line. */
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
  /** `application/json` by default. */
  readonly type?: 'application/x-ndjson';
};

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : undefined;

/** A call, and its input as parsed by its route's schemas. */
export type ParsedCall<Request extends RouteRequest> = {
  readonly call: Call;
  /** `GET /v1/products/{id}`: the route's name in the ledger. */
  readonly route: string;
  /** Throws if the route needs no key. */
  readonly caller: Caller;
  readonly params: Parsed<Request['params']>;
  readonly query: z.output<Request['query']>;
  /** Undefined if the route takes no JSON. */
  readonly body: Request['body'] extends {
    readonly type: 'application/json';
    readonly schema: infer Schema;
  }
    ? Parsed<Schema>
    : undefined;
  /** The body of a route that takes a text. */
  readonly text: string;
};

/** The handler of a call: returns a free body, a paid one, or a whole answer that is not billed. */
export type Begun<Body> = FreeCall<Body> | PaidCall<Body> | Answer;

type FreeCall<Body> = {
  readonly kind: 'free';
  /** Makes the body; called once the call counts in the throttle. */
  readonly make: () => Promise<Body>;
  readonly headers: Headers;
};

type PaidCall<Body> = {
  readonly kind: 'billed';
  readonly bill: BilledCall<Body>;
  /** Called when the call is over, whatever its outcome. */
  readonly over?: () => void;
};

/** Creates a call that costs nothing and counts in the throttle like any other (D14, D20). */
export function free<Body>(make: () => Promise<Body>, headers: Headers = {}): FreeCall<Body> {
  return { kind: 'free', make, headers };
}

/** Creates a call that is charged once for each Idempotency-Key (D16, D17, D21). */
export function billed<Body>(bill: BilledCall<Body>, over?: () => void): PaidCall<Body> {
  return over === undefined ? { kind: 'billed', bill } : { kind: 'billed', bill, over };
}

type Begin<Request extends RouteRequest, Body> = (
  asked: ParsedCall<Request>,
) => Begun<Body> | Promise<Begun<Body>>;

/** The part of a row that the pipeline reads. */
export type RouteRow<Parts> = {
  readonly method: (typeof METHODS)[number];
  /** With parameters in braces. */
  readonly path: string;
  /** The scope that a key must have; `any key` if any will do, or `no key` if none is needed. */
  readonly scope: Scope | 'any key' | 'no key';
  /** Null if no input is validated. */
  readonly request: RouteRequest | null;
  /** A text of at most 64 KB, or a stream that the route reads itself, once the key is checked; by default as the body's type says. */
  readonly takes?: 'text' | 'stream';
  /** Whether a trailing slash, as people type it, leads to the path. */
  readonly leadsSlash?: boolean;
  /** Called once with the parts; returns the function that starts each call. */
  readonly call: (parts: Parts) => Begin<RouteRequest, unknown>;
};

/** A row shown in the document. */
export type Route<Parts> = RouteRow<Parts> & {
  readonly operationId: string;
  readonly summary: string;
  /** Without its price, which precedes it in the document. */
  readonly description?: string;
  /** The price of a call without parameters. */
  readonly price: PricedCall;
  /** The price as a sentence, if the number of tokens alone is not enough. */
  readonly priceInWords?: string;
  readonly request: RouteRequest;
  readonly answer: RouteAnswer;
  /** Codes of the faults that it can answer with. */
  readonly faults: readonly FaultCode[];
  /** Answers other than 200 that are not faults, by status. */
  readonly otherAnswers?: Readonly<Record<number, RouteAnswer>>;
};

/** The token fields are added to the body of a free or a paid call when it is charged. */
type WithoutTokens<Body> = Omit<Body, 'tokens_consumed' | 'tokens_remaining'>;

/** Creates a row whose call fits its schemas. */
export function route<Parts, const Request extends RouteRequest, const Schema extends z.ZodType>(
  row: Omit<Route<Parts>, 'request' | 'answer' | 'call'> & {
    readonly request: Request;
    readonly answer: RouteAnswer<Schema>;
    readonly call: (parts: Parts) => Begin<Request, WithoutTokens<z.output<Schema>>>;
  },
): Route<Parts> {
  return row;
}

/** Returns a route's name in the ledger and in lists: `GET /v1/products/{id}`. */
export function routeName({ method, path }: Pick<RouteRow<never>, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

// Parses a call's input with its route's schemas.

import type { z } from 'zod';

import { FaultError } from '../base/fault.ts';
import { onceEach } from '../base/once.ts';
import type { Caller } from '../data/metering/metering.ts';
import { parametersOf } from './asked.ts';
import type { Asked, Call } from './call.ts';
import {
  faultOfBody,
  faultOfHeader,
  faultOfIssues,
  NO_JSON_OBJECT,
} from './problems/validation.ts';
import type { ParsedCall, RouteRequest } from './route.ts';
import type { Found } from './table.ts';

/**
 * Returns the call with its parsed input. `text` is its body. Throws the FaultError of the first mismatch, checking the
 * query first and the body last.
 */
export function parsedCall(
  call: Call,
  { entry: { name: route, request, takes }, params }: Found,
  text: string,
): ParsedCall<RouteRequest> {
  const { asked } = call;
  const query = request === null ? NOTHING : queryOf(asked, request.query);
  if (request?.headers !== undefined) checkHeaders(asked, request.headers);
  const isJson = takes === 'text' && request?.body?.type === 'application/json';
  const body = isJson ? bodyOf(asked, request.body.schema, text) : undefined;
  return {
    call,
    route,
    text,
    query,
    // SAFETY: rows without a key have no caller and do not read it. The type of a row without its schemas has no body; `route` gave
    // the call one that fits them.
    caller: call.caller as Caller,
    params,
    body: body as undefined,
  };
}

const NOTHING = {};

/** The result of each schema for a call without parameters. */
const ofNothing = onceEach((schema: z.ZodObject) => schema.safeParse(NOTHING));

function queryOf({ query }: Asked, schema: z.ZodObject): Readonly<Record<string, unknown>> {
  const given = query === '' ? NOTHING : parametersOf(query);
  const read = query === '' ? ofNothing(schema) : schema.safeParse(valuesOf(given));
  if (read.success) return read.data;
  throw new FaultError(faultOfIssues(read.error.issues, given, Object.keys(schema.shape)));
}

/** A name that was given twice has a list. */
function valuesOf(given: Readonly<Record<string, readonly string[]>>) {
  const values = Object.entries(given).map(([name, all]) => [
    name,
    all.length === 1 ? all[0] : all,
  ]);
  return Object.fromEntries(values) as Readonly<Record<string, unknown>>;
}

/** Headers are never required: if none of them is sent, nothing is checked. */
function checkHeaders({ headers }: Asked, schema: z.ZodObject): void {
  const names = Object.keys(schema.shape).filter((name) => headers.has(name.toLowerCase()));
  if (names.length === 0) return;
  const read = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, headers.get(name.toLowerCase())])),
  );
  if (!read.success) throw new FaultError(faultOfHeader(read.error.issues));
}

/** Parses a JSON body. FaultError invalid_parameter. */
export function bodyOf(
  asked: Pick<Asked, 'headers'>,
  schema: z.ZodObject,
  text: string,
): Readonly<Record<string, unknown>> {
  const read = schema.safeParse(jsonOf(asked, text));
  if (read.success) return read.data;
  throw new FaultError(faultOfBody(read.error.issues, Object.keys(schema.shape)));
}

const JSON_TYPE = /^application\/(?:[a-z.-]+\+)?json(?:;\s*[a-z\d-]+=[^;]+)*$/i;

/** Parses the JSON body; a call without one sends no field. FaultError invalid_parameter if it is something else. */
function jsonOf({ headers }: Pick<Asked, 'headers'>, text: string): unknown {
  const type = headers.get('content-type') ?? '';
  if (type === '' && text === '') return {};
  if (!JSON_TYPE.test(type)) throw new FaultError(NO_JSON_OBJECT);
  try {
    return JSON.parse(text);
  } catch {
    throw new FaultError(NO_JSON_OBJECT);
  }
}

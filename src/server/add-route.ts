// Answers a row of the table of routes through the framework: checks the key, reads what was sent with the schemas of the
// row, and calls it.

import type { Context } from 'hono';
import type { z } from 'zod';

import { FaultError } from '../base/fault.ts';
import type { Api, HttpEnv } from './context.ts';
import type { RequireKey } from './middleware.ts';
import {
  faultOfBody,
  faultOfHeader,
  faultOfIssues,
  NO_JSON_OBJECT,
} from './problems/validation.ts';
import { routeName, type ParsedRequest, type Route, type RouteRequest } from './route.ts';

export function addRoute<Parts>(
  api: Api,
  row: Route<Parts>,
  parts: Parts,
  requireKey: RequireKey,
): void {
  const { method, path, scope } = row;
  const answer = row.call(parts);
  const key = scope === 'no key' ? [] : [requireKey(scope === 'any key' ? null : scope)];
  api.on([method.toUpperCase()], [path.replaceAll(/\{(\w+)\}/g, ':$1')], ...key, async (c) =>
    answer(c, await readRequest(c, row)),
  );
}

/** What was sent. Throws the FaultError of what does not fit, the query first and the body last. */
async function readRequest<Parts>(
  c: Context<HttpEnv>,
  row: Route<Parts>,
): Promise<ParsedRequest<RouteRequest>> {
  const { params, query, headers, body } = row.request;
  const read = {
    route: routeName(row),
    query: queryOf(c, query),
    params: params?.parse(c.req.param()),
  };
  if (headers !== undefined) checkHeaders(c, headers);
  const isJson = body?.type === 'application/json';
  // SAFETY: the type of a row without its schemas has no body; `route` gave the call one that fits them.
  return { ...read, body: isJson ? await bodyOf(c, body.schema) : undefined } as typeof read & {
    readonly body: undefined;
  };
}

function queryOf(c: Context<HttpEnv>, schema: z.ZodObject) {
  const given = c.req.queries();
  // A name that was given twice has a list.
  const values = Object.entries(given).map(([name, all]) => [
    name,
    all.length === 1 ? all[0] : all,
  ]);
  const read = schema.safeParse(Object.fromEntries(values));
  if (read.success) return read.data;
  throw new FaultError(faultOfIssues(read.error.issues, given, Object.keys(schema.shape)));
}

function checkHeaders(c: Context<HttpEnv>, schema: z.ZodObject): void {
  const names = Object.keys(schema.shape);
  const read = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, c.req.header(name)])),
  );
  if (!read.success) throw new FaultError(faultOfHeader(read.error.issues));
}

async function bodyOf(c: Context<HttpEnv>, schema: z.ZodObject) {
  const read = schema.safeParse(await jsonOf(c));
  if (read.success) return read.data;
  throw new FaultError(faultOfBody(read.error.issues, Object.keys(schema.shape)));
}

const JSON_TYPE = /^application\/(?:[a-z.-]+\+)?json(?:;\s*[a-z\d-]+=[^;]+)*$/i;

/** The JSON of the body; a call without one sends no field. FaultError invalid_parameter where it is something else. */
async function jsonOf(c: Context<HttpEnv>): Promise<unknown> {
  const text = await c.req.text();
  const type = c.req.header('content-type') ?? '';
  if (type === '' && text === '') return {};
  if (!JSON_TYPE.test(type)) throw new FaultError(NO_JSON_OBJECT);
  try {
    return JSON.parse(text);
  } catch {
    throw new FaultError(NO_JSON_OBJECT);
  }
}

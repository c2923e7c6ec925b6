// Finds the row of a call by method and path. The cost does not grow with the number of routes, nor with a path's length except
// for splitting it at its slashes.

import { addRoute, createRouter, findRoute } from 'rou3';

import type { Fault } from '../base/fault.ts';
import { once } from '../base/once.ts';
import type { Answer } from './answer.ts';
import { redirect } from './answer.ts';
import { decodedBy } from './asked.ts';
import { takesOf, type Takes } from './bodies.ts';
import type { Asked } from './call.ts';
import { createUnknownRoute } from './problems/unknown-route.ts';
import {
  METHODS,
  routeName,
  type Begun,
  type ParsedCall,
  type RouteRow,
  type RouteRequest,
} from './route.ts';

/** A row as the pipeline uses it. */
export type Entry = Pick<RouteRow<never>, 'scope' | 'request' | 'leadsSlash'> & {
  /** The path with its parameters in braces, as shown in metrics and log. */
  readonly path: string;
  /** `GET /v1/products/{id}`: the route's name in the ledger. */
  readonly name: string;
  readonly takes: Takes;
  readonly begin: (call: ParsedCall<RouteRequest>) => Begun<unknown> | Promise<Begun<unknown>>;
};

/** The row of a call, and its path parameters. */
export type Found = { readonly entry: Entry; readonly params: Readonly<Record<string, string>> };

/** The result of matching a call's method and path. */
export type Match = {
  /** Null if no route matches. */
  readonly found: Found | null;
  /** The allowed kinds of body; if no route has the method, those of the path's routes. */
  readonly takes: Takes;
  /** Returns the fault of a call that no route matches. */
  readonly unknown: () => Fault;
};

export type Table = { readonly match: (asked: Pick<Asked, 'method' | 'path' | 'query'>) => Match };

const NO_PARAMS = {};

/** `elsewhere` is the fault of a call that no route matches; without it the rows determine what was probably meant. */
export function createTable<Parts>(
  rows: readonly RouteRow<Parts>[],
  parts: Parts,
  elsewhere?: Fault,
): Table {
  const router = createRouter<Entry>();
  for (const row of rows) {
    const path = row.path.replaceAll(/\{(\w+)\}/g, ':$1');
    addRoute(router, row.method.toUpperCase(), path, entryOf(row, parts));
  }
  const entryAt = (method: string, path: string) => findRoute(router, method, path);
  const methodsAt = (path: string) =>
    METHODS.map((each) => each.toUpperCase()).filter((each) => entryAt(each, path) !== undefined);
  const unknown = once(() =>
    createUnknownRoute(
      rows.map(({ path }) => path),
      methodsAt,
    ),
  );

  function find(asked: Pick<Asked, 'method' | 'query'>, path: string): Found | null {
    const found = entryAt(asked.method === 'HEAD' ? 'GET' : asked.method, path);
    if (found === undefined) return null;
    const { data, params = NO_PARAMS } = found;
    if (path.length === 1 || !path.endsWith('/')) {
      return { entry: data, params: path.includes('%') ? wholeParams(params) : params };
    }
    return data.leadsSlash === true ? leadFrom(asked, data) : null;
  }

  function takesAt(method: string, path: string): Takes {
    if (method !== 'POST' && method !== 'PATCH') return null;
    // If the routes are elsewhere, it is not known what theirs accept.
    if (elsewhere !== undefined) return 'text';
    const isText = methodsAt(path).some((each) => entryAt(each, path)?.data.takes === 'text');
    return isText ? 'text' : null;
  }

  return {
    match: (asked) => {
      const path = readPath(asked.path);
      const found = find(asked, path);
      return {
        found,
        takes: found === null ? takesAt(asked.method, path) : found.entry.takes,
        unknown: () => elsewhere ?? unknown()(asked.method, path),
      };
    },
  };
}

function entryOf<Parts>(row: RouteRow<Parts>, parts: Parts): Entry {
  const call = once(() => row.call(parts));
  return {
    path: row.path,
    name: routeName(row),
    scope: row.scope,
    request: row.request,
    takes: takesOf(row),
    ...(row.leadsSlash === undefined ? {} : { leadsSlash: row.leadsSlash }),
    begin: (asked) => call()(asked),
  };
}

/** Escapes of letters, digits and the punctuation used in route names. */
const ESCAPED_NAME = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;

/**
 * Decodes a path's escapes, except those of the characters that delimit an address. Other escapes never occur in a route's
 * name.
 */
function readPath(path: string): string {
  if (!ESCAPED_NAME.test(path)) return path;
  return decodedBy(decodeURI, path.replaceAll('%25', '%2525'));
}

/** Returns the path's parameters, with the escapes decoded that `readPath` has left. */
function wholeParams(params: Found['params']): Found['params'] {
  const read = (text: string) => (text.includes('%') ? decodedBy(decodeURIComponent, text) : text);
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, read(text)]));
}

/** Redirects an address as people type it to the page's one address, keeping the query. */
function leadFrom({ query }: Pick<Asked, 'query'>, { path, ...entry }: Entry): Found {
  const target = query === '' ? path : `${path}?${query}`;
  const begin = (): Answer => redirect(target, 308);
  return { entry: { ...entry, path: `${path}/`, begin }, params: NO_PARAMS };
}

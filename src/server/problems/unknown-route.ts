// The fault of a request that no route takes: 405 with `Allow` for a known path, else 404 with the route that was
// probably meant (D49). What it costs does not grow with the path or with the number of routes: routes are found segment by
// segment, and no more of a path is read than the longest route has.

import type { Fault } from '../../base/fault.ts';
import { nearestName } from '../../base/nearest-name.ts';

export type KnownRoute = { readonly method: string; readonly path: string };

/** Makes the function that finds the fault of a method and a path. */
export function createUnknownRoute(
  all: readonly KnownRoute[],
): (method: string, path: string) => Fault {
  const routes = all.filter((route) => route.method !== 'ALL');
  const methodsOf = methodsByPath(routes);
  // Files of the console are asked for by its pages alone.
  const paths = routes.map((route) => route.path).filter((each) => !each.includes('/files/'));
  const known = [...new Set(paths)];
  return (method, path) => {
    const allow = methodsOf(path);
    if (allow.has('GET')) allow.add('HEAD');
    if (allow.size > 0 && !allow.has(method)) {
      const names = [...allow].join(', ');
      return {
        code: 'method_not_allowed',
        allow: [...allow],
        detail: `${method.slice(0, LONGEST_METHOD)} is not allowed here. This route takes ${names}.`,
      };
    }
    return { code: 'unknown_route', detail: `No route has this path. ${hint(path, known)}` };
  };
}

/** Characters that are shown of a method. */
const LONGEST_METHOD = 32;

/** A place in the paths of the routes, with those that go on from it. */
type Place = {
  readonly names: Map<string, Place>;
  /** Where any segment goes on; null where none but the names do. */
  parameter: Place | null;
  readonly methods: string[];
};

const newPlace = (): Place => ({ names: new Map(), parameter: null, methods: [] });

/** Makes the function that finds the methods which the routes of a path take. A slash at its end is not looked at. */
function methodsByPath(routes: readonly KnownRoute[]): (path: string) => Set<string> {
  const root = newPlace();
  let deepest = 0;
  for (const { method, path } of routes) {
    let place = root;
    const segments = segmentsOf(path);
    for (const segment of segments) place = nextOf(place, segment);
    place.methods.push(method);
    deepest = Math.max(deepest, segments.length);
  }
  return (path) => {
    // One for what stands before the first slash, one for what stands behind a last one, one that is too many.
    const segments = segmentsOf(path, deepest + 3);
    let places = segments.length > deepest ? [] : [root];
    for (const segment of segments) {
      places = places.flatMap(({ names, parameter }) =>
        [names.get(segment) ?? null, segment === '' ? null : parameter].filter(
          (each) => each !== null,
        ),
      );
    }
    return new Set(places.flatMap(({ methods }) => methods));
  };
}

function segmentsOf(path: string, most?: number): readonly string[] {
  const [, ...segments] = path.split('/', most);
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

function nextOf(place: Place, segment: string): Place {
  if (segment.startsWith(':')) return (place.parameter ??= newPlace());
  const next = place.names.get(segment) ?? newPlace();
  place.names.set(segment, next);
  return next;
}

/** Characters that are read of a path, to find what it was meant to be. */
const READ = 256;

function hint(whole: string, known: readonly string[]): string {
  const path = whole.slice(0, READ);
  const shown = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}');
  if (/^\/v1\/products\/https?:?\/\/?/.test(path)) {
    return (
      'Percent-encode the address of the product page once (/v1/products/{id}), or send it as ' +
      '/v1/products?url=.'
    );
  }
  if (/look ?-?up|search|item|barcode|upc|gtin|asin|product/i.test(path)) {
    return 'Look products up at GET /v1/products/{id}.';
  }
  // What stands there for browsers alone is not what a program meant.
  const near = path === '/' ? null : nearestName(path, known);
  return near === null
    ? 'GET /v1 lists the routes of the API, GET /docs describes them.'
    : `Did you mean ${shown(near)}?`;
}

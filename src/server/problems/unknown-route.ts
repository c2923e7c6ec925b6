// The fault of a request that no route accepts: 405 with `Allow` for a known path, else 404 with the route that was probably
// meant (D49).

import type { Fault } from '../../base/fault.ts';
import { nearestName } from '../../base/nearest-name.ts';

/**
 * Returns the function that finds the fault for a method and a path. `methodsAt` returns the methods accepted by a path's
 * routes.
 */
export function createUnknownRoute(
  paths: readonly string[],
  methodsAt: (path: string) => readonly string[],
): (method: string, path: string) => Fault {
  // Only the console's pages request its files. A parameter's value in a path has few letters in common with its name.
  const compared = paths
    .filter((each) => !each.includes('/files/'))
    .map((each) => each.replaceAll(/\{(\w+)\}/g, ':$1'));
  const known = [...new Set(compared)];
  return (method, path) => {
    const taken = methodsAt(path);
    const allow = taken.includes('GET') ? [...taken, 'HEAD'] : taken;
    if (allow.length > 0 && !allow.includes(method)) {
      return {
        code: 'method_not_allowed',
        allow,
        detail: `${method.slice(0, LONGEST_METHOD)} is not allowed here. This route accepts ${allow.join(', ')}.`,
      };
    }
    return { code: 'unknown_route', detail: unknownPath(hint(path, known)) };
  };
}

/** Returns the message about a path without a route. */
export const unknownPath = (hint: string): string => `No route has this path. ${hint}`;
export const WHERE_TO_READ = 'GET /v1 lists the routes of the API, GET /docs describes them.';

/** Maximum characters shown of a method. */
const LONGEST_METHOD = 32;

/** Maximum characters read of a path, to find the intended one. */
const READ = 256;

function hint(whole: string, known: readonly string[]): string {
  const path = whole.slice(0, READ);
  if (/^\/v1\/products\/https?:?\/\/?/.test(path)) {
    return (
      'Percent-encode the address of the product page once (/v1/products/{id}), or send it as ' +
      '/v1/products?url=.'
    );
  }
  if (/look ?-?up|search|item|barcode|upc|gtin|asin|product/i.test(path)) {
    return 'Look up products with GET /v1/products/{id}.';
  }
  const near = nearestName(path, known);
  return near === null ? WHERE_TO_READ : `Did you mean ${near.replaceAll(/:(\w+)/g, '{$1}')}?`;
}

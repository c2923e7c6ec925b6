// The fault of a request that no route takes: 405 with `Allow` for a known path, else 404 with the route that was
// probably meant (D49).

import type { Fault } from '../../core/fault.ts';
import { nearestName } from '../../core/nearest-name.ts';
import type { Api } from '../context.ts';

export function unknownRoute(api: Api, method: string, path: string): Fault {
  const routes = api.routes.filter((route) => route.method !== 'ALL');
  const allow = new Set(
    routes.filter((route) => matches(route.path, path)).map((route) => route.method),
  );
  if (allow.has('GET')) allow.add('HEAD');
  if (allow.size > 0 && !allow.has(method)) {
    return {
      code: 'method_not_allowed',
      allow: [...allow],
      detail: `${method} is not allowed here. This route takes ${[...allow].join(', ')}.`,
    };
  }
  // Files of the console are asked for by its pages alone.
  const paths = routes.map((route) => route.path).filter((each) => !each.includes('/files/'));
  const known = [...new Set(paths)];
  return { code: 'unknown_route', detail: `No route has this path. ${hint(path, known)}` };
}

function matches(pattern: string, path: string): boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}/?$`).test(path);
}

function hint(path: string, known: readonly string[]): string {
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

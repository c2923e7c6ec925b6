// The order of the routes' paths in documents.

import { METHODS, type Route } from './route.ts';

const ORDER = [/^\/v1\/products/, /^\/v1\/sellers/, /^\/v1/];

/** Product routes first; within a rank the routes are in table order. */
function rankOf(path: string): number {
  const rank = ORDER.findIndex((each) => each.test(path));
  return rank === -1 ? ORDER.length : rank;
}

/** Returns the paths with their routes, in document order. */
export function routesByPath<Parts>(
  routes: readonly Route<Parts>[],
): readonly (readonly [path: string, routes: readonly Route<Parts>[]])[] {
  return [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, all]) => {
      const inOrder = METHODS.flatMap((method) => all.filter((each) => each.method === method));
      return [path, inOrder] as const;
    })
    .sort(([one], [other]) => rankOf(one) - rankOf(other));
}

// The table of routes: what the service offers at documented paths, to whom and for how much. The routes of pages, files,
// metrics and agents are not in it.

import { CHANGE_ROUTES, type ChangeRouteParts } from './routes/watches/changes.ts';
import { CHANNEL_ROUTES, type ChannelRouteParts } from './routes/watches/channels.ts';
import { COMPARE_ROUTES, type CompareRouteParts } from './routes/products/compare.ts';
import { DELIVERY_ROUTES, type DeliveryRouteParts } from './routes/watches/deliveries.ts';
import { HISTORY_ROUTES, type HistoryRouteParts } from './routes/products/history.ts';
import {
  INSTALLATION_ROUTES,
  type InstallationRouteParts,
  type ListedRoute,
} from './routes/installation/installation.ts';
import { OPERATOR_ROUTES, type OperatorRouteParts } from './routes/installation/operator.ts';
import { PICTURE_ROUTES, type PictureRouteParts } from './routes/products/pictures.ts';
import { BATCH_ROUTES, type BatchRouteParts } from './routes/products/products-batch.ts';
import { PRODUCT_ROUTES, type ProductRouteParts } from './routes/products/products.ts';
import { RATE_CARD_ROUTES, type RateCardRouteParts } from './routes/installation/rate-cards.ts';
import { REFRESH_ROUTES, type RefreshRouteParts } from './routes/products/refresh.ts';
import { REVIEW_ROUTES, type ReviewRouteParts } from './routes/products/reviews.ts';
import { SELLER_ROUTES, type SellerRouteParts } from './routes/products/sellers.ts';
import { HEALTH_ROUTES, type HealthRouteParts } from './routes/installation/service.ts';
import { SPARKLINE_ROUTES, type SparklineRouteParts } from './routes/watches/sparklines.ts';
import { WATCH_ROUTES, type WatchRouteParts } from './routes/watches/watches.ts';
import { METHODS, type Route } from './route.ts';

/** What the routes together need. */
export type RouteParts = HealthRouteParts &
  InstallationRouteParts &
  RateCardRouteParts &
  ProductRouteParts &
  BatchRouteParts &
  RefreshRouteParts &
  ReviewRouteParts &
  SellerRouteParts &
  PictureRouteParts &
  HistoryRouteParts &
  SparklineRouteParts &
  WatchRouteParts &
  ChangeRouteParts &
  ChannelRouteParts &
  DeliveryRouteParts &
  CompareRouteParts &
  OperatorRouteParts;

/** A path without parameters stands before one that has a parameter in the same place. */
export const ROUTES: readonly Route<RouteParts>[] = [
  ...HEALTH_ROUTES,
  ...INSTALLATION_ROUTES,
  ...RATE_CARD_ROUTES,
  ...PRODUCT_ROUTES,
  ...BATCH_ROUTES,
  ...REFRESH_ROUTES,
  ...REVIEW_ROUTES,
  ...SELLER_ROUTES,
  ...PICTURE_ROUTES,
  ...HISTORY_ROUTES,
  ...SPARKLINE_ROUTES,
  ...WATCH_ROUTES,
  ...CHANGE_ROUTES,
  ...CHANNEL_ROUTES,
  ...DELIVERY_ROUTES,
  ...COMPARE_ROUTES,
  ...OPERATOR_ROUTES,
];

const ORDER = [/^\/v1\/products/, /^\/v1\/sellers/, /^\/v1/];

/** Product routes first; within a rank the routes are in the order of the table. */
function rankOf(path: string): number {
  const rank = ORDER.findIndex((each) => each.test(path));
  return rank === -1 ? ORDER.length : rank;
}

/** The paths with their routes, as documents list them. */
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

/** Every route, as `GET /v1` lists them. */
export function listedRoutes(): readonly ListedRoute[] {
  return routesByPath(ROUTES).flatMap(([path, routes]) =>
    routes.map(({ method, summary, scope }) => {
      return { method: method.toUpperCase(), path, summary, needs_key: scope !== 'no key' };
    }),
  );
}

// The route table: what the service offers, to whom and for how much. The document contains those in `ROUTES`.

import { CANDIDATE_ROUTES, type CandidateRouteParts } from './routes/products/candidates.ts';
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
import {
  PICTURE_ROUTES,
  PICTURE_ROWS,
  type PictureRouteParts,
} from './routes/products/pictures.ts';
import { BATCH_ROUTES, type BatchRouteParts } from './routes/products/products-batch.ts';
import { PRODUCT_ROUTES } from './routes/products/products.ts';
import type { ProductCallParts } from './product-call.ts';
import { PAGE_ROUTES, type PageRouteParts } from './routes/products/handed-in.ts';
import { RATE_CARD_ROUTES, type RateCardRouteParts } from './routes/installation/rate-cards.ts';
import { REFRESH_ROUTES, type RefreshRouteParts } from './routes/products/refresh.ts';
import { RULE_ROUTES, type RuleRouteParts } from './routes/products/rules.ts';
import { SESSION_ROUTES, type SessionRouteParts } from './routes/installation/sessions.ts';
import { REVIEW_ROUTES, type ReviewRouteParts } from './routes/products/reviews.ts';
import { SELLER_ROUTES, type SellerRouteParts } from './routes/products/sellers.ts';
import { HEALTH_ROUTES } from './routes/installation/service.ts';
import {
  CHART_ROWS,
  SPARKLINE_ROUTES,
  type SparklineRouteParts,
} from './routes/watches/sparklines.ts';
import { WATCH_ROUTES, type WatchRouteParts } from './routes/watches/watches.ts';
import { LOCAL_METRICS_ROWS, type MetricsParts } from './routes/installation/metrics.ts';
import { MCP_ROWS, type McpRouteParts } from './routes/mcp.ts';
import { CONFIRM_ROWS, type ConfirmRouteParts } from './routes/pages/confirm.ts';
import { FEED_ROWS, type FeedRouteParts } from './routes/pages/feed.ts';
import { consoleRows, type ConsoleParts } from './routes/pages/console.ts';
import { AGENT_PROFILE_ROWS } from './routes/pages/agent-profile.ts';
import { IDENTITY_ROWS, type IdentityRouteParts } from './routes/pages/identity.ts';
import { LLMS_TEXT_ROWS } from './routes/pages/llms-text.ts';
import { referenceRows, type ReferenceParts } from './routes/pages/reference.ts';
import { SIGN_IN_ROWS, type SignInRouteParts } from './routes/pages/sign-in.ts';
import { SHEET_ROWS, type SheetRouteParts } from './routes/pages/sheet.ts';
import type { HealthParts } from './early-table.ts';
import type { Route, RouteRow } from './route.ts';
import { routesByPath } from './routes-by-path.ts';

/** The parts that the routes together need. */
type RouteParts = HealthParts &
  InstallationRouteParts &
  RateCardRouteParts &
  ProductCallParts &
  BatchRouteParts &
  RefreshRouteParts &
  ReviewRouteParts &
  SellerRouteParts &
  PictureRouteParts &
  PageRouteParts &
  CandidateRouteParts &
  RuleRouteParts &
  HistoryRouteParts &
  SparklineRouteParts &
  WatchRouteParts &
  ChangeRouteParts &
  ChannelRouteParts &
  DeliveryRouteParts &
  CompareRouteParts &
  SessionRouteParts &
  OperatorRouteParts;

/** The routes shown in the document. */
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
  ...PAGE_ROUTES,
  ...CANDIDATE_ROUTES,
  ...RULE_ROUTES,
  ...HISTORY_ROUTES,
  ...SPARKLINE_ROUTES,
  ...WATCH_ROUTES,
  ...CHANGE_ROUTES,
  ...CHANNEL_ROUTES,
  ...DELIVERY_ROUTES,
  ...COMPARE_ROUTES,
  ...SESSION_ROUTES,
  ...OPERATOR_ROUTES,
];

/** The parts that the other routes need as well. */
export type AllParts = RouteParts &
  McpRouteParts &
  MetricsParts &
  SheetRouteParts &
  SignInRouteParts &
  ConfirmRouteParts &
  FeedRouteParts &
  IdentityRouteParts &
  ReferenceParts & {
    readonly console: ConsoleParts;
    /** Whether `/metrics` has no separate address and is served here, to local callers (D4). */
    readonly answersMetrics: boolean;
  };

/** Returns all routes: the documented ones, agents, and what browsers load without a key. */
export function allRows(parts: AllParts): readonly RouteRow<AllParts>[] {
  return [
    ...ROUTES,
    ...(parts.answersMetrics ? LOCAL_METRICS_ROWS : []),
    ...PICTURE_ROWS,
    ...CHART_ROWS,
    ...SHEET_ROWS,
    ...SIGN_IN_ROWS,
    ...MCP_ROWS,
    ...referenceRows(ROUTES, parts),
    ...LLMS_TEXT_ROWS,
    ...AGENT_PROFILE_ROWS,
    ...IDENTITY_ROWS,
    ...CONFIRM_ROWS,
    ...FEED_ROWS,
    ...consoleRows(parts.console),
  ];
}

/** Returns every route, as listed by `GET /v1`. */
export function listedRoutes(): readonly ListedRoute[] {
  return routesByPath(ROUTES).flatMap(([path, routes]) =>
    routes.map(({ method, summary, scope }) => {
      return { method: method.toUpperCase(), path, summary, needs_key: scope !== 'no key' };
    }),
  );
}

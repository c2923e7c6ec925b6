export { createOpenshelf, type Openshelf, type OpenshelfOptions } from './client.ts';
export {
  OpenshelfError,
  TokenBudgetSpent,
  hasCode,
  type Problem,
  type ProblemCode,
} from './errors.ts';
export { BatchBrokeOff, type BatchAnswer, type BatchLine, type BatchOptions } from './many.ts';
export type { Found, LookupParameters, ProductRecord } from './many.ts';
export type { Change, ChangesOptions } from './changes.ts';
export type { TokenBudget } from './budget.ts';
export { WebhookRefused, checkWebhook, type Webhook, type WebhookToCheck } from './webhooks.ts';
export type { components, operations, paths } from './schema.ts';

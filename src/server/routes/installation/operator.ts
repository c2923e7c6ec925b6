// /v1/admin/*: what the operator of this installation sees and does: the usage of all organizations, the queue, what
// the installation lacks, and API keys. The routes are free and need the scope `admin`. Parameters of new keys are no
// secrets, so they stand in the query; the key itself is shown once, in the answer.

import { createRoute, z } from '@hono/zod-openapi';

import { FaultError } from '../../../base/fault.ts';
import type { Scope } from '../../../base/scopes.ts';
import { isKeyId } from '../../../data/metering/api-key.ts';
import {
  NewOperatorKey,
  OperatorInstallation,
  OperatorKeys,
  OperatorQueue,
  OperatorUsage,
  presentInstallation,
  presentKeys,
  presentNewKey,
  presentOperatorUsage,
  presentQueue,
  RevokedOperatorKey,
} from '../../../answer/wire/installation/operation.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { NewKeyQuery, RotateKeyQuery } from '../../../answer/wire/installation/key-query.ts';
import { answerFree, type FreeParts } from '../answer-route.ts';
import type { Api } from '../../context.ts';
import type { RequireKey } from '../../middleware.ts';
import { faultResponses } from '../../document/responses.ts';
import { FREE_FAULTS } from '../route-faults.ts';

/** What the operator can ask for and do. */
export type Operator = {
  usage(): Promise<Parameters<typeof presentOperatorUsage>[0]>;
  queue(): Promise<Parameters<typeof presentQueue>[0]>;
  installation(): Promise<Parameters<typeof presentInstallation>[0]>;
  keys(): Promise<{ readonly keys: Parameters<typeof presentKeys>[0]; readonly nowMs: number }>;
  /** Makes a key, and its organization if there is none of that name. */
  createKey(wanted: KeyWanted): Promise<MadeKey>;
  /** Returns null when there is no active key with this id. */
  rotateKey(id: string, oldHours: number): Promise<MadeKey | null>;
  /** Returns false when there is no active key with this id. */
  revokeKey(id: string): Promise<boolean>;
};

export type KeyWanted = {
  readonly organization: string;
  readonly note: string | null;
  readonly scopes: readonly Scope[];
  /** Hours from now; null for a key without end. */
  readonly hours: number | null;
};

type MadeKey = Parameters<typeof presentNewKey>[0];

export type OperatorRouteParts = FreeParts & {
  readonly requireKey: RequireKey;
  readonly operator: Operator;
};

const FAULTS = [...FREE_FAULTS, 'insufficient_scope'] as const;
const CREATE_FAULTS = [...FAULTS, 'invalid_parameter'] as const;
const KEY_FAULTS = [...CREATE_FAULTS, 'not_found'] as const;

export function addOperatorRoutes(api: Api, parts: OperatorRouteParts): void {
  addViews(api, parts);
  addNewKeyRoute(api, parts);
  addKeyChangeRoutes(api, parts);
}

/** What the operator's routes have in common. */
function forOperator(requireKey: RequireKey) {
  return { security: [{ bearer: [] }], middleware: requireKey('admin') };
}

const ok = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { 'application/json': { schema } } },
});

function addViews(api: Api, parts: OperatorRouteParts): void {
  const { requireKey, operator } = parts;
  const view = { method: 'get' as const, ...forOperator(requireKey), request: { query: NoQuery } };
  const usage = createRoute({
    ...view,
    path: '/v1/admin/usage',
    operationId: 'getOperatorUsage',
    summary: 'Get the usage of the month of all organizations, by day, route and organization',
    description: 'Free. Needs the scope `admin`.',
    responses: { ...ok('The usage.', OperatorUsage), ...faultResponses(FAULTS) },
  });
  api.openapi(usage, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/admin/usage',
      body: async () => presentOperatorUsage(await operator.usage()),
    }),
  );
  const queue = createRoute({
    ...view,
    path: '/v1/admin/queue',
    operationId: 'getOperatorQueue',
    summary: 'Get the background jobs, and the hosts that get no requests for a while',
    description: 'Free. Needs the scope `admin`.',
    responses: { ...ok('The queue.', OperatorQueue), ...faultResponses(FAULTS) },
  });
  api.openapi(queue, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/admin/queue',
      body: async () => presentQueue(await operator.queue()),
    }),
  );
  const installation = createRoute({
    ...view,
    path: '/v1/admin/installation',
    operationId: 'getInstallation',
    summary: 'Get what this installation cannot do, and which setting changes it',
    description: 'Free. Needs the scope `admin`. Names settings, never their values.',
    responses: { ...ok('The installation.', OperatorInstallation), ...faultResponses(FAULTS) },
  });
  api.openapi(installation, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/admin/installation',
      body: async () => presentInstallation(await operator.installation()),
    }),
  );
  const keys = createRoute({
    ...view,
    path: '/v1/admin/keys',
    operationId: 'getKeys',
    summary: 'List the API keys of all organizations',
    description: 'Free. Needs the scope `admin`. Never shows a key itself.',
    responses: { ...ok('The keys.', OperatorKeys), ...faultResponses(FAULTS) },
  });
  api.openapi(keys, (c) =>
    answerFree(c, parts, {
      route: 'GET /v1/admin/keys',
      body: async () => {
        const listed = await operator.keys();
        return presentKeys(listed.keys, listed.nowMs);
      },
    }),
  );
}

function addNewKeyRoute(api: Api, parts: OperatorRouteParts): void {
  const route = createRoute({
    method: 'post',
    ...forOperator(parts.requireKey),
    path: '/v1/admin/keys',
    operationId: 'createKey',
    summary: 'Make an API key',
    description:
      'Free. Needs the scope `admin`. Makes the organization when there is none of that name. The key is in this answer and ' +
      'nowhere else.',
    request: { query: NewKeyQuery },
    responses: { ...ok('The key.', NewOperatorKey), ...faultResponses(CREATE_FAULTS) },
  });
  api.openapi(route, (c) => {
    const {
      organization,
      note = null,
      scopes,
      expires_in_hours: hours = null,
    } = c.req.valid('query');
    return answerFree(c, parts, {
      route: 'POST /v1/admin/keys',
      body: async () =>
        presentNewKey(await parts.operator.createKey({ organization, note, scopes, hours }), null),
    });
  });
}

const keyId = z.object({
  id: z.string().openapi({
    param: { name: 'id', in: 'path' },
    description: 'The public part of the key: the eight characters after `osk_live_`.',
    example: 'QY6ScGRA',
  }),
});

function addKeyChangeRoutes(api: Api, parts: OperatorRouteParts): void {
  const { requireKey, operator } = parts;
  const rotate = createRoute({
    method: 'post',
    ...forOperator(requireKey),
    path: '/v1/admin/keys/{id}/rotate',
    operationId: 'rotateKey',
    summary: 'Replace an API key by a new one',
    description:
      'Free. Needs the scope `admin`. The new key has the organization, scopes and note of the old one, and as long a life; the old ' +
      'one is accepted for some hours more.',
    request: { params: keyId, query: RotateKeyQuery },
    responses: { ...ok('The new key.', NewOperatorKey), ...faultResponses(KEY_FAULTS) },
  });
  api.openapi(rotate, (c) => {
    const { id } = c.req.valid('param');
    const { old_valid_hours: hours } = c.req.valid('query');
    return answerFree(c, parts, {
      route: 'POST /v1/admin/keys/{id}/rotate',
      body: async () => {
        const made = isKeyId(id) ? await operator.rotateKey(id, hours) : null;
        return presentNewKey(made ?? noKey(), id);
      },
    });
  });
  const revoke = createRoute({
    method: 'post',
    ...forOperator(requireKey),
    path: '/v1/admin/keys/{id}/revoke',
    operationId: 'revokeKey',
    summary: 'Refuse an API key from now on',
    description:
      'Free. Needs the scope `admin`. Every process refuses it within a second. It cannot be undone.',
    request: { params: keyId, query: NoQuery },
    responses: { ...ok('It is refused.', RevokedOperatorKey), ...faultResponses(KEY_FAULTS) },
  });
  api.openapi(revoke, (c) => {
    const { id } = c.req.valid('param');
    return answerFree(c, parts, {
      route: 'POST /v1/admin/keys/{id}/revoke',
      body: async () => (isKeyId(id) && (await operator.revokeKey(id)) ? { id } : noKey()),
    });
  });
}

function noKey(): never {
  throw new FaultError({
    code: 'not_found',
    parameter: 'id',
    detail: 'There is no active key with this id. GET /v1/admin/keys lists the keys.',
  });
}

// /v1/admin/*: what the operator of this installation sees and does: the usage of all organizations, the queue, what the
// installation lacks, and API keys. The routes are free and need the scope `admin`. Parameters of new keys are not secret,
// so they are in the query; the key itself is shown once, in the answer.

import { z } from 'zod';

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
import { free, route, type Route } from '../../route.ts';
import { FREE_FAULTS } from '../route-faults.ts';

/** The operator's queries and actions. */
export type Operator = {
  usage(): Promise<Parameters<typeof presentOperatorUsage>[0]>;
  queue(): Promise<Parameters<typeof presentQueue>[0]>;
  installation(): Promise<Parameters<typeof presentInstallation>[0]>;
  keys(): Promise<{ readonly keys: Parameters<typeof presentKeys>[0]; readonly nowMs: number }>;
  /** Creates a key, and its organization if none of that name exists. */
  createKey(wanted: KeyWanted): Promise<MadeKey>;
  /** Returns null when there is no active key with this id. */
  rotateKey(id: string, oldHours: number): Promise<MadeKey | null>;
  /** Returns false when there is no active key with this id. */
  revokeKey(id: string): Promise<boolean>;
};

type KeyWanted = {
  readonly organization: string;
  readonly note: string | null;
  readonly scopes: readonly Scope[];
  /** Hours from now; null for a key that does not expire. */
  readonly hours: number | null;
};

type MadeKey = Parameters<typeof presentNewKey>[0];

export type OperatorRouteParts = { readonly operator: Operator };

const keyId = z.object({
  id: z.string().meta({
    description: 'The public part of the key: the eight characters after `osk_live_`.',
    example: 'QY6ScGRA',
  }),
});

const FAULTS = [...FREE_FAULTS, 'insufficient_scope'] as const;
const CREATE_FAULTS = [...FAULTS, 'invalid_parameter'] as const;
const KEY_FAULTS = [...CREATE_FAULTS, 'not_found'] as const;

const usage = route({
  method: 'get',
  path: '/v1/admin/usage',
  operationId: 'getOperatorUsage',
  summary: "Get this month's usage of all organizations, by day, route and organization",
  description: 'Requires the scope `admin`.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The usage.', schema: OperatorUsage },
  faults: FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    () =>
      free(async () => presentOperatorUsage(await operator.usage())),
});

const queue = route({
  method: 'get',
  path: '/v1/admin/queue',
  operationId: 'getOperatorQueue',
  summary: 'Get the background jobs and the paused hosts',
  description: 'Requires the scope `admin`.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The queue.', schema: OperatorQueue },
  faults: FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    () =>
      free(async () => presentQueue(await operator.queue())),
});

const installation = route({
  method: 'get',
  path: '/v1/admin/installation',
  operationId: 'getInstallation',
  summary: 'List missing functions of this installation, and the settings that would enable them',
  description: 'Requires the scope `admin`. Names settings, never their values.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: {
    description:
      'The missing functions of the installation, and the results of reading the pages of ' +
      'retailers.',
    schema: OperatorInstallation,
  },
  faults: FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    () =>
      free(async () => presentInstallation(await operator.installation())),
});

const keys = route({
  method: 'get',
  path: '/v1/admin/keys',
  operationId: 'getKeys',
  summary: 'List the API keys of all organizations',
  description: 'Requires the scope `admin`. Never shows a key itself.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The keys.', schema: OperatorKeys },
  faults: FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    () =>
      free(async () => {
        const listed = await operator.keys();
        return presentKeys(listed.keys, listed.nowMs);
      }),
});

const create = route({
  method: 'post',
  path: '/v1/admin/keys',
  operationId: 'createKey',
  summary: 'Create an API key',
  description:
    'Requires the scope `admin`. Creates the organization if none has that name. The key is shown in ' +
    'this response only.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { query: NewKeyQuery },
  answer: { description: 'The key.', schema: NewOperatorKey },
  faults: CREATE_FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    ({ query }) =>
      free(async () => {
        const { organization, note = null, scopes, expires_in_hours: hours = null } = query;
        return presentNewKey(await operator.createKey({ organization, note, scopes, hours }), null);
      }),
});

const rotate = route({
  method: 'post',
  path: '/v1/admin/keys/{id}/rotate',
  operationId: 'rotateKey',
  summary: 'Replace an API key with a new one',
  description:
    "Requires the scope `admin`. The new key has the old key's organization, scopes, note and lifetime; the old " +
    'key stays valid for some more hours.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { params: keyId, query: RotateKeyQuery },
  answer: { description: 'The new key.', schema: NewOperatorKey },
  faults: KEY_FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    ({ params: { id }, query }) =>
      free(async () => {
        const made = isKeyId(id) ? await operator.rotateKey(id, query.old_valid_hours) : null;
        return presentNewKey(made ?? noKey(), id);
      }),
});

const revoke = route({
  method: 'post',
  path: '/v1/admin/keys/{id}/revoke',
  operationId: 'revokeKey',
  summary: 'Revoke an API key',
  description:
    'Requires the scope `admin`. Every process refuses the key within a second. This cannot be ' +
    'undone.',
  scope: 'admin',
  price: { kind: 'free' },
  request: { params: keyId, query: NoQuery },
  answer: { description: 'The key is revoked.', schema: RevokedOperatorKey },
  faults: KEY_FAULTS,
  call:
    ({ operator }: OperatorRouteParts) =>
    ({ params: { id } }) =>
      free(async () => (isKeyId(id) && (await operator.revokeKey(id)) ? { id } : noKey())),
});

export const OPERATOR_ROUTES: readonly Route<OperatorRouteParts>[] = [
  usage,
  queue,
  installation,
  keys,
  create,
  rotate,
  revoke,
];

function noKey(): never {
  throw new FaultError({
    code: 'not_found',
    parameter: 'id',
    detail: 'There is no active key with this id. GET /v1/admin/keys lists the keys.',
  });
}

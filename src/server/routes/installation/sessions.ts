// The routes of the console's sessions (D93): listed and ended by whoever has their key. All free.

import { z } from 'zod';

import { FaultError } from '../../../base/fault.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Accounts } from '../../../data/accounts/accounts.ts';
import { isMadeId } from '../../../data/made-id.ts';
import type { SignIns } from '../../../data/metering/sign-ins.ts';
import {
  presentSession,
  SessionEnded,
  SessionList,
} from '../../../answer/wire/installation/sessions.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { free, route, type Route } from '../../route.ts';
import { cookieFor, lastsAt, ownOrigin, sessionIdOf } from '../../session-call.ts';
import { FREE_FAULTS } from '../route-faults.ts';

export type SessionRouteParts = {
  readonly signIns: SignIns;
  readonly accounts: Pick<Accounts, 'endSession'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether a proxy in front is trusted to say that a browser came by https. */
  readonly isBehindProxy: boolean;
};

const list = route({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  summary: 'List the browsers that are signed in to the console with this key',
  description: 'Returns the sessions, newest first. A session ends with its key.',
  scope: 'any key',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The sessions.', schema: SessionList },
  faults: FREE_FAULTS,
  call:
    ({ signIns, clock }: SessionRouteParts) =>
    ({ call, caller }) =>
      free(async () => {
        const sessions = await signIns.list(caller.keyId, clock.now());
        return {
          sessions: sessions.map((each) => presentSession(each, sessionIdOf(call.asked))),
        };
      }),
});

const end = route({
  method: 'delete',
  path: '/v1/sessions/{id}',
  operationId: 'endSession',
  summary: 'Sign a browser out of the console',
  description: 'Ends a session of this key. Every process refuses it within a second.',
  scope: 'any key',
  price: { kind: 'free' },
  request: {
    params: z.object({
      id: z.string().meta({ description: 'The ID of a session.', example: 'ses_2mQ9xkz0' }),
    }),
    query: NoQuery,
  },
  answer: { description: 'The session has ended.', schema: SessionEnded },
  faults: [...FREE_FAULTS, 'not_found'],
  call:
    ({ accounts, isBehindProxy }: SessionRouteParts) =>
    ({ call: { asked }, caller, params: { id } }) => {
      const origin = ownOrigin(asked, isBehindProxy);
      const isOwn = sessionIdOf(asked) === id;
      return free(
        async () => {
          if (!isMadeId('ses', id) || !(await accounts.endSession(caller.keyId, id, isOwn)))
            throw noSession();
          return { ended: true as const, session_id: id };
        },
        isOwn && lastsAt(origin) ? { 'set-cookie': cookieFor(origin, '', 0) } : {},
      );
    },
});

export const SESSION_ROUTES: readonly Route<SessionRouteParts>[] = [list, end];

function noSession(): FaultError {
  return new FaultError({
    code: 'not_found',
    parameter: 'id',
    detail: 'This key has no session with this id. GET /v1/sessions lists its sessions.',
  });
}

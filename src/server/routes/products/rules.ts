// Routes for rules (D85, D93): a person chooses which candidate is a page's price, stock or barcode.

import { z } from 'zod';

import type { ManageRules } from '../../../answer/lookup/manage-rules.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import {
  presentChosen,
  presentRule,
  RULE_FIELDS,
  RuleAnswer,
  RuleBody,
  RuleDeleted,
  RuleList,
} from '../../../answer/wire/rules.ts';
import type { Metering } from '../../../data/metering/metering.ts';
import { enterAgain } from '../../bodies.ts';
import { enter, type LookupContext } from '../../call.ts';
import { bodyOf } from '../../parsed-call.ts';
import { free, route, type Route } from '../../route.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';
import { htmlOf, takePageTurns, textOfPage } from './page-body.ts';

const PATH = '/v1/rules';

export type RuleRouteParts = {
  readonly metering: Pick<Metering, 'takeCandidates'>;
  readonly outside: () => Promise<{ readonly manageRules: ManageRules }>;
  readonly lookupContext: LookupContext;
};

const choose = route({
  method: 'post',
  path: PATH,
  operationId: 'createRule',
  summary: 'Choose which candidate on a page is its price, stock or barcode',
  description:
    'From the next reading on, the rule applies to the product pages of the host, in answers ' +
    'for your organization. It stores the place of the candidate but not the page, replaces ' +
    'your earlier rule for the same host and field, and never overrides an official API or ' +
    'product JSON. The call counts toward the limit of candidates.',
  scope: 'rules:write',
  price: { kind: 'free' },
  request: { query: NoQuery, body: { type: 'application/json', schema: RuleBody } },
  takes: 'stream',
  answer: { description: 'The rule.', schema: RuleAnswer },
  faults: [
    ...ONE_FAULTS,
    'invalid_identifier',
    'invalid_parameter',
    'url_not_allowed',
    'body_too_large',
    'encoding_not_accepted',
    'page_not_accepted',
    'source_unusable',
    'upstream_unavailable',
  ],
  call: ({ outside, metering, lookupContext }: RuleRouteParts) => {
    const takeTurn = takePageTurns();
    return async ({ call, caller }) => {
      call.share.work?.ends();
      const endTurn = await takeTurn(caller.organizationId);
      try {
        await metering.takeCandidates(caller);
        const text = await textOfPage(call);
        const sent = bodyOf(call.asked, RuleBody, text) as z.infer<typeof RuleBody>;
        await enterAgain(call.share);
        const wanted = {
          ...sent,
          field: RULE_FIELDS[sent.field],
          isForEveryone: sent.for === 'everyone',
          html: sent.html === undefined ? undefined : htmlOf(sent.html),
        };
        const { manageRules } = await outside();
        return free(async () => {
          enter(call, 'fetching');
          return presentChosen(await manageRules.choose(wanted, caller, lookupContext(caller)));
        });
      } finally {
        endTurn();
      }
    };
  },
});

const list = route({
  method: 'get',
  path: PATH,
  operationId: 'listRules',
  summary: 'List the rules of your organization and those for everyone',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The rules, oldest first.', schema: RuleList },
  faults: READ_FAULTS,
  call:
    ({ outside }: RuleRouteParts) =>
    async ({ caller }) => {
      const { manageRules } = await outside();
      return free(async () => ({
        rules: (await manageRules.list(caller)).map(presentRule),
      }));
    },
});

const remove = route({
  method: 'delete',
  path: `${PATH}/{id}`,
  operationId: 'deleteRule',
  summary: 'Delete a rule',
  description:
    'Stored facts that the rule changed are deleted too. Deleting a rule for everyone requires ' +
    'the scope `admin`.',
  scope: 'rules:write',
  price: { kind: 'free' },
  request: {
    params: z.object({
      id: z.string().meta({ description: 'The rule.', example: 'rul_Zr3vXl5Qm0Wn8sT2yKc1bA' }),
    }),
    query: NoQuery,
  },
  answer: { description: 'The rule is deleted.', schema: RuleDeleted },
  faults: ONE_FAULTS,
  call:
    ({ outside }: RuleRouteParts) =>
    async ({ caller, params: { id } }) => {
      const { manageRules } = await outside();
      return free(async () => {
        await manageRules.remove(id, caller);
        return { deleted: true as const, id };
      });
    },
});

export const RULE_ROUTES: readonly Route<RuleRouteParts>[] = [list, choose, remove];

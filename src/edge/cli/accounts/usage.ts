// openshelf usage --org NAME: what an organization spent this month.

import { withStore } from '../../wiring/open-store.ts';
import { findUsageSums, findMonthUsage } from '../../../data/accounts/usage.ts';
import { presentSums } from '../../../answer/wire/installation/installation.ts';
import { answer, counted, type Command } from '../command.ts';
import { configWithData, noOrganization } from '../data-folder.ts';
import { DATA_OPTION, requiredOption } from '../options.ts';

export const usage: Command = {
  name: 'usage',
  summary: "print an organization's tokens and calls of this month (UTC)",
  synopsis: ['--org NAME [--details] [--data DIR] [--json]'],
  options: {
    org: { value: 'NAME', help: 'the name of the organization' },
    details: { help: 'also print the usage by day, by endpoint and by key' },
    data: DATA_OPTION,
    json: {
      help:
        'print {"org", "tokens_used", "tokens_remaining", "calls"} as one line of JSON; with --details also ' +
        '"days", "endpoints" and "keys"',
    },
  },
  run: async (input) => {
    const { values } = input;
    const org = requiredOption(values, 'org');
    const found = await withStore(await configWithData(input), async (store, nowMs) => {
      const organization = await store.accounts.findOrganization(org);
      const usage = await findMonthUsage(store.sql, org, nowMs);
      if (organization === null || usage === null) return null;
      const account = { organizationId: organization.id, month: usage.month };
      return { usage, sums: presentSums(await findUsageSums(store.sql, account)) };
    });
    if (found === null) throw noOrganization(org);
    const { usage, sums } = found;
    const withDetails = values['details'] === true;
    const json = {
      org: usage.organization,
      tokens_used: usage.tokensUsed,
      tokens_remaining: usage.tokensRemaining,
      calls: usage.calls,
      ...(withDetails ? sums : {}),
    };
    const line =
      `${usage.organization}, ${usage.month}: ${counted(usage.tokensUsed, 'token')} used in ` +
      `${counted(usage.calls, 'call')}, ${usage.tokensRemaining} left`;
    return answer(input, json, [line, ...(withDetails ? linesOf(sums) : [])]);
  },
};

function linesOf(sums: ReturnType<typeof presentSums>): readonly string[] {
  const line = (what: string, { tokens, calls }: { tokens: number; calls: number }) =>
    `  ${what}: ${counted(tokens, 'token')} in ${counted(calls, 'call')}`;
  return [
    ...sums.days.map((each) => line(each.date, each)),
    ...sums.endpoints.map((each) => line(each.endpoint, each)),
    ...sums.keys.map((each) => line(`key ${each.key_id} ${each.note ?? ''}`.trimEnd(), each)),
  ];
}

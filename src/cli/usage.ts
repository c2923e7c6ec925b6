// openshelf usage --org NAME: what an organization spent this month.

import { withStore } from '../app.ts';
import { readConfig } from '../config.ts';
import { usageOf } from '../store/usage.ts';
import { DONE, printJson, requiredOption, textOption, type Command } from './command.ts';

export const usage: Command = {
  name: 'usage',
  summary: "print an organization's tokens and calls of this month (UTC)",
  usage: [
    'Usage: openshelf usage --org NAME [--data DIR] [--json]',
    '',
    '  --data DIR   the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json       {"org", "tokens_used", "tokens_remaining", "calls"} on one line',
  ].join('\n'),
  options: { org: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } },
  run: async ({ values, io }) => {
    const org = requiredOption(values, 'org');
    const dataDir = textOption(values, 'data');
    const config = readConfig(io.env, dataDir === undefined ? {} : { dataDir });
    const found = await withStore(config, (store, nowMs) => usageOf(store.sql, org, nowMs));
    if (found === null) throw new Error(`there is no organization "${org}"`);
    if (values['json'] === true) {
      printJson(io, {
        org: found.organization,
        tokens_used: found.tokensUsed,
        tokens_remaining: found.tokensRemaining,
        calls: found.calls,
      });
    } else {
      io.out(
        `${found.organization}, ${found.month}: ${found.tokensUsed} tokens used in ${found.calls} ` +
          `calls, ${found.tokensRemaining} left`,
      );
    }
    return DONE;
  },
};

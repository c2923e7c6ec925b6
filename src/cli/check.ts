// openshelf check: is the ledger the balance, and the store consistent?

import { withStore } from '../app.ts';
import { checkStore } from '../store/maintenance/check.ts';
import { DONE, FAILED, printJson, type Command } from './command.ts';
import { heldConfigOf } from './held-data.ts';

export const check: Command = {
  name: 'check',
  summary: 'verify that ledger and balances agree and the store is consistent',
  usage: [
    'Usage: openshelf check [--data DIR] [--json]',
    '',
    '  --data DIR   the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json       {"clean": true|false, "problems": [...]} on one line',
    '',
    'Works while a server runs. Makes no data; brings an older database up to date first.',
    'Exit code 1 when something is wrong or the folder holds no data.',
  ].join('\n'),
  options: { data: { type: 'string' }, json: { type: 'boolean' } },
  run: async (input) => {
    const { values, io } = input;
    const problems = await withStore(await heldConfigOf(input), (store) => checkStore(store.sql));
    if (values['json'] === true) printJson(io, { clean: problems.length === 0, problems });
    else if (problems.length === 0)
      io.out('clean: the ledger equals the balances, the store is consistent.');
    else problems.forEach((problem) => io.out(problem));
    return problems.length === 0 ? DONE : FAILED;
  },
};

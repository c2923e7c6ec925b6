// openshelf check: verifies that ledger and balances agree and that the store is consistent.

import { withStore } from '../../wiring/open-store.ts';
import { checkStore } from '../../../data/maintenance/check.ts';
import { answer, DONE, FAILED, type Command } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { DATA_OPTION } from '../options.ts';

const CLEAN = 'clean: the ledger and the balances agree, and the store is consistent.';

export const check: Command = {
  name: 'check',
  summary: 'verify that the ledger and the balances agree and that the store is consistent',
  synopsis: ['[--data DIR] [--json]'],
  options: {
    data: DATA_OPTION,
    json: { help: 'print {"clean": true|false, "problems": [...]} as one line of JSON' },
  },
  notes: [
    'Works while a server runs. Creates no data; brings the schema of older data up to date first.',
    'The exit code is 1 when something is wrong or the folder contains no data.',
  ],
  run: async (input) => {
    const problems = await withStore(await configWithData(input), (store) => checkStore(store.sql));
    const clean = problems.length === 0;
    const lines = clean ? [CLEAN] : problems.map(input.asCalled);
    answer(input, { clean, problems }, lines);
    return clean ? DONE : FAILED;
  },
};

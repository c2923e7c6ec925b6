// A process that opens the store of a folder, writes one row, and closes: many of them start together.

import { openStore } from '../../src/store/store.ts';

const [path = '', name = ''] = process.argv.slice(2);
await using store = await openStore({ kind: 'sqlite', path });
await store.accounts.putOrganization({ name }, 1_800_000_000_000);
process.stdout.write('done\n');

// A process that opens the store of a file or an address, writes one row, and closes: many of them start together.

import { openStore } from '../../src/store/store.ts';

const [place = '', name = ''] = process.argv.slice(2);
const isUrl = place.startsWith('postgres://');
await using store = await openStore(
  isUrl ? { kind: 'postgres', url: place } : { kind: 'sqlite', path: place },
);
await store.accounts.putOrganization({ name }, 1_800_000_000_000);
process.stdout.write('done\n');

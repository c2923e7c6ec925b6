// A process that opens the store of a file or an address, writes one row, and closes: many of them start together.

import { storeAt } from '../support/stores.ts';

const [place = '', name = ''] = process.argv.slice(2);
await using store = await storeAt(place);
await store.accounts.upsertOrganization({ name }, 1_800_000_000_000);
process.stdout.write('done\n');

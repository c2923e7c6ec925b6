// A process of the proof of promise 11: opens the store that its argument names, which brings it up to date, and closes it.

import { storeAt } from '../../tests/support/stores.ts';

const [place = ''] = process.argv.slice(2);
process.stdout.write('opening\n');
await using store = await storeAt(place);
process.stdout.write(`${store.sql.dialect} open\n`);

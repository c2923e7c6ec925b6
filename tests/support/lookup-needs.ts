// The dependencies of lookups, over their own store on either database and a clock that the test moves.

import { readConfig } from '../../src/edge/config.ts';
import { openNeeds } from '../../src/edge/wiring/shared-parts.ts';
import { isOnPostgres, newDatabase } from './databases.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Clock = NonNullable<Parameters<typeof openNeeds>[1]['clock']>;

/** Everything is disposed with `opened`. */
export async function openLookupNeeds(clock: Clock, opened: AsyncDisposableStack) {
  const folder = opened.use(temporaryFolder());
  const database = isOnPostgres() ? opened.use(await newDatabase('migrated')) : null;
  const where = database === null ? {} : { DATABASE_URL: database.url };
  const config = readConfig({ OPENSHELF_DATA: folder.path, ...where }, {});
  return { config, needs: await openNeeds(config, { clock }, opened) };
}

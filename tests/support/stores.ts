// A store for one test, on the database of the run, and gone when it is closed.

import { openStore, type Store } from '../../src/store/store.ts';
import { isOnPostgres, newDatabase } from './databases.ts';

export async function openTestStore(): Promise<Store> {
  if (!isOnPostgres()) return openStore({ kind: 'sqlite', path: ':memory:' });
  const database = await newDatabase('migrated');
  const store = await openStore({ kind: 'postgres', url: database.url });
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

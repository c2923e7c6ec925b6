// Stores for tests, on the database of the run, and removed afterwards.

import { join } from 'node:path';

import { openStore, type Store, type StoreConfig } from '../../src/data/store.ts';
import { isOnPostgres, newDatabase } from './databases.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens a test's store; its data is removed with it. */
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

type StorePlace = AsyncDisposable & {
  /** A file or an address: passed to a child process, for `storeAt`. */
  readonly name: string;
};

/** A place for a store shared by several processes; nothing is there yet. */
export async function newStorePlace(): Promise<StorePlace> {
  if (isOnPostgres()) {
    const { url, ...database } = await newDatabase('empty');
    return { name: url, ...database };
  }
  const folder = temporaryFolder();
  return {
    name: join(folder.path, 'openshelf.sqlite'),
    [Symbol.asyncDispose]: () => Promise.resolve(folder[Symbol.dispose]()),
  };
}

/** Opens the store of a place by its name. */
export function storeAt(name: string): Promise<Store> {
  const isAddress = name.startsWith('postgres://');
  const config: StoreConfig = isAddress
    ? { kind: 'postgres', url: name }
    : { kind: 'sqlite', path: name };
  return openStore(config);
}

import { openPostgres } from '../../src/store/postgres.ts';
import type { Database } from '../../src/store/sql.ts';
import { newDatabase } from '../support/databases.ts';
import { testConformance } from './conformance.ts';

/** An empty database that is gone when it is closed. */
async function open(): Promise<Database> {
  const database = await newDatabase('empty');
  const sql = await openPostgres({ url: database.url });
  return {
    ...sql,
    async [Symbol.asyncDispose]() {
      await sql[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

testConformance('postgres', open);

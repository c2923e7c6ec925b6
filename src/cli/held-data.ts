// The settings of a command that needs data which is there. A mistyped folder must not be made and called clean.

import { storeOf } from '../app.ts';
import type { Config } from '../config.ts';
import { databaseName } from '../store/postgres/database-url.ts';
import { holdsData } from '../store/store.ts';
import { configOf, type CommandInput } from './command.ts';

/** As `configOf`; rejects when there is no data in the folder or the database. */
export async function heldConfigOf(input: CommandInput): Promise<Config> {
  const config = configOf(input);
  if (await holdsData(storeOf(config))) return config;
  const { databaseUrl, dataDir } = config;
  throw new Error(`no data in ${databaseUrl === null ? dataDir : databaseName(databaseUrl)}`);
}

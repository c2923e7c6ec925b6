// The settings of a command that works on the data.

import { join } from 'node:path';

import { storeOf } from '../wiring/open-store.ts';
import { readConfig, type Config } from '../config.ts';
import { databaseName } from '../../data/postgres/database-url.ts';
import { holdsData } from '../../data/store.ts';
import type { CommandInput } from './command.ts';
import { textOption } from './options.ts';

/** Returns the error for an organization that is not in the data. */
export function noOrganization(name: string): Error {
  return new Error(`There is no organization "${name}". openshelf orgs list shows all.`);
}

/** Reads the settings; `--data` overrides the environment. */
export function configOf({ values, io }: Pick<CommandInput, 'values' | 'io'>): Config {
  const dataDir = textOption(values, 'data');
  return readConfig(io.env, dataDir === undefined ? {} : { dataDir });
}

/** Describes where the data is, without showing a password. */
export function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? dataDir : databaseName(databaseUrl);
}

/** Returns the folder of the demo's data, separate from the installation's data. */
export function demoFolder(dataDir: string): string {
  return join(dataDir, 'demo');
}

/**
 * Reads the settings as `configOf` does. Rejects if there is no data, so that a mistyped folder is not created and reported
 * as clean.
 */
export async function configWithData(input: CommandInput): Promise<Config> {
  const config = configOf(input);
  if (await holdsData(storeOf(config))) return config;
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null) {
    const demo = demoFolder(dataDir);
    const isDemo = await holdsData(storeOf({ ...config, dataDir: demo }));
    const name = isDemo
      ? `The demo's data is in ${demo}: use --data ${demo}.`
      : 'Specify the folder with --data or OPENSHELF_DATA.';
    throw new Error(`There is no data in ${dataDir}. ${name}`);
  }
  throw new Error(`There is no data in ${databaseName(databaseUrl)}, which DATABASE_URL names.`);
}

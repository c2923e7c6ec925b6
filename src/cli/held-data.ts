// The settings of a command that needs data which is there. A mistyped folder must not be made and called clean.

import type { Config } from '../config.ts';
import { requireData } from '../store/data-place.ts';
import { configOf, type CommandInput } from './command.ts';

/** As `configOf`; rejects when there is no data in the folder or the database. */
export async function heldConfigOf(input: CommandInput): Promise<Config> {
  const config = configOf(input);
  await requireData(config);
  return config;
}

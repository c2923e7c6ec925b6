// The settings of a command that needs data which is there. A mistyped folder must not be made and called clean.

import { hasData } from '../app.ts';
import type { Config } from '../config.ts';
import { configOf, type CommandInput } from './command.ts';

/** As `configOf`; throws when the data folder holds no data. */
export function heldConfigOf(input: CommandInput): Config {
  const config = configOf(input);
  if (!hasData(config)) throw new Error(`no data in ${config.dataDir}`);
  return config;
}

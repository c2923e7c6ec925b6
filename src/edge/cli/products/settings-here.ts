// The settings with which a command looks products up by itself: for the local data, or for the simulated market.

import type { Config } from '../../config.ts';
import type { CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { textOption } from '../options.ts';
import {
  marketOptions,
  needsSandbox,
  openSandbox,
  withSandbox,
  withSandboxSearch,
} from '../sandbox-config.ts';

/**
 * With --sandbox the market is used, which is closed with `opened`. Its answers are never stored in the installation's
 * data, unless --data names a folder for it.
 */
export async function settingsHere(
  { values, io }: CommandInput,
  opened: AsyncDisposableStack,
): Promise<Config> {
  needsSandbox(values);
  const settings = configOf({ values, io });
  if (values['sandbox'] !== true) return settings;
  const sandbox = opened.adopt(await openSandbox(marketOptions(values)), (each) => each.close());
  const apart = { dataDir: `${settings.dataDir}/demo`, databaseUrl: null, readUrl: null };
  const own = textOption(values, 'data') === undefined ? { ...settings, ...apart } : settings;
  return withSandboxSearch(withSandbox(own, sandbox), sandbox);
}

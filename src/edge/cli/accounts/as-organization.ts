// Commands that work on the watches and channels of one organization.

import { openApp, type App } from '../../app.ts';
import type { WatchOwner } from '../../../answer/lookup/watches/manage-watches.ts';
import type { Watching } from '../../wiring/watching.ts';
import type { CommandInput } from '../command.ts';
import { configOf, noOrganization } from '../data-folder.ts';
import { requiredOption } from '../options.ts';

type Managing = Pick<Watching, 'manageChannels' | 'manageWatches'>;
type Owned = Pick<App, 'usualCurrency'> & { readonly owner: WatchOwner };

/** Does the work on the opened data. Rejects if the organization does not exist, or has no key. */
export async function asOrganization<T>(
  input: CommandInput,
  work: (opened: Managing & Owned) => Promise<T>,
): Promise<T> {
  const name = requiredOption(input.values, 'org');
  await using app = await openApp(configOf(input));
  const owner = await ownerOf(app, name);
  const { manageChannels, manageWatches } = await app.watching();
  const { usualCurrency } = app;
  return await work({ manageChannels, manageWatches, owner, usualCurrency });
}

/** Returns the owner of an organization's watches. Rejects if the organization does not exist, or has no key. */
export async function ownerOf({ store: { accounts } }: App, name: string): Promise<WatchOwner> {
  const organization = await accounts.findOrganization(name);
  if (organization === null) {
    throw noOrganization(name);
  }
  const owner = await ownerWithKey(accounts, organization.id);
  if (owner !== null) return owner;
  throw new Error(
    `Watches are charged to an API key, and "${name}" has none. Create one: openshelf keys create.`,
  );
}

/** Returns the owner if there is exactly one organization and it has a key. */
export async function onlyOwnerIn({ store: { accounts } }: App): Promise<WatchOwner | null> {
  const [only, ...others] = await accounts.listOrganizations();
  return only === undefined || others.length > 0 ? null : await ownerWithKey(accounts, only.id);
}

async function ownerWithKey(
  accounts: App['store']['accounts'],
  organizationId: string,
): Promise<WatchOwner | null> {
  const keys = await accounts.listKeys(organizationId);
  const key = keys.findLast(({ revokedAtMs }) => revokedAtMs === null);
  return key === undefined ? null : { organizationId, keyId: key.id };
}

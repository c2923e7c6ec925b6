// openshelf parse FILE --url URL --store: hands a saved page in to this installation's data, for one organization (D84).
// Nothing is charged, and nothing that the page names is fetched.

import { presentHandedIn } from '../../../answer/wire/handed-in.ts';
import { openApp, type App } from '../../app.ts';
import type { CommandInput } from '../command.ts';
import { configOf, noOrganization } from '../data-folder.ts';
import { textOption } from '../options.ts';

type SavedPage = {
  readonly url: string;
  readonly html: Uint8Array;
  readonly contentType: string | null;
};

/** Returns the record as the organization now sees it, with what was read. Throws the FaultError of a page that is not accepted. */
export async function storePage(input: CommandInput, page: SavedPage): Promise<object> {
  await using app = await openApp(configOf(input));
  const organizationId = await organizationOf(app, textOption(input.values, 'org'));
  const { handIn } = await app.outside();
  const owner = { organizationId, isShared: false };
  const handedIn = await handIn(
    { ...page, capturedAtMs: null, owner },
    app.lookupContext(input.io.stop),
  );
  const product = await app.ownRecord(handedIn.identifier, organizationId);
  if (product === null) throw new Error('The page was stored, but its record cannot be shown.');
  return presentHandedIn(product, handedIn);
}

/** Returns the id of the named organization; without a name, the id of the only organization. */
async function organizationOf(
  { store: { accounts } }: App,
  name: string | undefined,
): Promise<string> {
  if (name !== undefined) {
    const named = await accounts.findOrganization(name);
    if (named === null) throw noOrganization(name);
    return named.id;
  }
  const [only, ...others] = await accounts.listOrganizations();
  if (only !== undefined && others.length === 0) return only.id;
  throw new Error('Specify with --org the organization that the page is for.');
}

// The identity of this installation towards shops: the key with which it signs requests, and the card of its agent
// (draft-ietf-webbotauth-httpsig-protocol). Free, without a key.

import { FaultError } from '../../../base/fault.ts';
import type { RouteRow } from '../../route.ts';

export type IdentityRouteParts = {
  /** Returns the files by path; null if requests are not signed. */
  readonly identityFiles: () => Promise<readonly IdentityFile[] | null>;
};

type IdentityFile = {
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

const PATHS = ['/.well-known/http-message-signatures-directory', '/bot'];

export const IDENTITY_ROWS: readonly RouteRow<IdentityRouteParts>[] = PATHS.map((path) => ({
  method: 'get',
  path,
  scope: 'no key',
  request: null,
  call:
    ({ identityFiles }) =>
    async () => {
      const file = (await identityFiles())?.find((each) => each.path === path);
      if (file !== undefined) return { status: 200, headers: file.headers, body: file.text };
      const detail = 'This installation does not sign its requests to shops.';
      throw new FaultError({ code: 'unknown_route', detail });
    },
}));

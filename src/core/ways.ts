// Where a fault sends its reader next. Callers of the API have a route; who sits at a terminal has a command for the same.

export type Way = { readonly route: string; readonly command: string };

export const WAYS = {
  lookUpPage: { route: 'GET /v1/products?url={address}', command: 'openshelf lookup ADDRESS' },
  retailers: { route: 'GET /v1/retailers', command: 'openshelf doctor' },
  watches: { route: 'GET /v1/watches', command: 'openshelf watch list' },
  channels: { route: 'GET /v1/channels', command: 'openshelf channel list' },
} as const satisfies Readonly<Record<string, Way>>;

/** What a fault says, with the commands in the places of the routes. */
export function withCommands(detail: string): string {
  return Object.values(WAYS).reduce(
    (text, { route, command }) => text.replaceAll(route, command),
    detail,
  );
}

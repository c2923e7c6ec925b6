// Where a fault sends its reader next. Callers of the API have a route; who sits at a terminal has a command for the same, an
// agent a tool, and who looks a sheet up at a service another row of it.

/** `tool` and `row` where the command would be the wrong one: it speaks of the data of this machine. */
export type Way = {
  readonly route: string;
  readonly command: string;
  readonly tool?: string;
  readonly row?: string;
};

const DOCTOR_THERE = 'openshelf doctor on the machine of its operator';

export const WAYS = {
  lookUpPage: {
    route: 'GET /v1/products?url={address}',
    command: 'openshelf lookup ADDRESS',
    tool: 'lookup with the address as identifier',
    row: 'a row with the address',
  },
  retailers: {
    route: 'GET /v1/retailers',
    command: 'openshelf doctor',
    tool: DOCTOR_THERE,
    row: DOCTOR_THERE,
  },
  watches: { route: 'GET /v1/watches', command: 'openshelf watch list' },
  channels: { route: 'GET /v1/channels', command: 'openshelf channel list' },
} as const satisfies Readonly<Record<string, Way>>;

/** What a fault says, with what its reader can use in the places of the routes. */
export function withoutRoutes(detail: string, reader: 'command' | 'tool' | 'row'): string {
  return Object.values<Way>(WAYS).reduce(
    (text, way) => text.replaceAll(way.route, way[reader] ?? way.command),
    detail,
  );
}

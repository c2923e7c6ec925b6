// Tells the reader of a fault what to do next. API callers are given a route, a person at a terminal the equivalent
// command, an agent a tool. A person who looks up a sheet through a service is told which row to send instead.

/** `tool` and `row` are given if the command would be wrong because it applies to this machine's data. */
type Way = {
  readonly route: string;
  readonly command: string;
  readonly tool?: string;
  readonly row?: string;
};

const DOCTOR_THERE = "openshelf doctor on the operator's machine";

export const NEXT_STEPS = {
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
  watches: { route: 'GET /v1/watches', command: 'openshelf watch list', tool: 'the tool watches' },
  channels: { route: 'GET /v1/channels', command: 'openshelf channel list' },
} as const satisfies Readonly<Record<string, Way>>;

/** Returns a fault's text with the routes replaced with the commands or tools that its reader can use. */
export function withoutRoutes(detail: string, reader: 'command' | 'tool' | 'row'): string {
  return Object.values<Way>(NEXT_STEPS).reduce(
    (text, step) => text.replaceAll(step.route, step[reader] ?? step.command),
    detail,
  );
}

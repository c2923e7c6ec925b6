// openshelf serve: the service, until it is told to stop.

import { openApp, systemClock, type App } from '../app.ts';
import { bothOrigins, readConfig, type Config } from '../config.ts';
import { parseOrigins } from '../fetch/origins.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { publicOrigins } from '../retailers/public-origins.ts';
import { SEARCH_ORIGINS } from '../sandbox/origins.ts';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { SANDBOX_ACCESS } from '../sandbox/tokens.ts';
import { DONE, numberOption, printJson, textOption, type Command } from './command.ts';
import { startListening } from './listening.ts';

/** The simulated shops of every demo and example: the same seed gives the same world. */
export const SANDBOX_SEED = 20_261_120;

/** security 6: answers under way may take this long after a stop signal. */
const DRAIN_MS = 25_000;

export const serve: Command = {
  name: 'serve',
  summary: 'run the service',
  usage: [
    'Usage: openshelf serve [--port N] [--host ADDRESS] [--data DIR]',
    '                       [--sandbox [--seed N]] [--json]',
    '',
    '  --port N         0 picks a free one (default PORT, else 8790)',
    '  --host ADDRESS   where to listen (default HOST, else 127.0.0.1)',
    '  --data DIR       the data folder (default OPENSHELF_DATA, else ./data)',
    '  --sandbox        answer from simulated shops and retailers on loopback, not the internet',
    '  --seed N         with --sandbox: another market',
    '  --json           print {"url", "pid"} as the first line once it answers; with OPENSHELF_METRICS',
    '                   also "metrics_url"',
    '',
    'Stops on SIGTERM or SIGINT: answers under way are finished first.',
  ].join('\n'),
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    data: { type: 'string' },
    sandbox: { type: 'boolean' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async ({ values, io }) => {
    const port = numberOption(values, 'port', { min: 0, max: 65_535 });
    const host = textOption(values, 'host');
    const dataDir = textOption(values, 'data');
    const seed = numberOption(values, 'seed', { min: 0, max: 4_294_967_295 });
    const config = readConfig(io.env, {
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    await using sandbox = values['sandbox'] === true ? await openSandbox(seed) : null;
    await using app = await openApp(withSandboxSearch(withSandbox(config, sandbox), sandbox), {
      logTo: io.err,
    });
    const listener = await startListening(app, config);
    const { url, metricsUrl } = listener;
    if (values['json'] === true) {
      const metrics = metricsUrl === null ? {} : { metrics_url: `${metricsUrl}/metrics` };
      printJson(io, { url, pid: process.pid, ...metrics });
    } else describeStart(app, listener, sandbox, io.out);
    await untilStopped(io.stop);
    await app.stop(DRAIN_MS);
    return DONE;
  },
};

/** Shops and retailers, each at the address that the service asks it at. */
export function openSandbox(seed: number = SANDBOX_SEED): Promise<Sandbox> {
  return startSandbox({ seed, now: systemClock.now, retailers: publicOrigins() });
}

/** The simulated shops take the place of their public origins; what the operator mapped stays. */
export function withSandbox(config: Config, sandbox: Sandbox | null): Config {
  if (sandbox === null) return config;
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  const { origins } = parseOrigins(pairs.join(','));
  // Lists of offers are asked for with the hash of a site's release: nothing a newcomer has, and here any will do.
  const retailerW = { OFFERS_HASH: SANDBOX_ACCESS.offersHash, ...config.credentials.retailer_w };
  return {
    ...config,
    origins: bothOrigins(origins, config.origins),
    credentials: { ...config.credentials, retailer_w: retailerW },
  };
}

/** The simulated search engine, where the operator has none: it is the way to a retailer that takes no barcode. */
export function withSandboxSearch(config: Config, sandbox: Sandbox | null): Config {
  const engine = SEARCH_ORIGINS['searxng'];
  const target = engine === undefined ? undefined : sandbox?.origins[engine];
  if (target === undefined || config.search.provider !== null) return config;
  const { origins } = parseOrigins(`${engine}=${target}`);
  return { ...config, search: { provider: { kind: 'searxng', base: `${engine}/` }, origins } };
}

function describeStart(
  app: App,
  { url, metricsUrl }: Endpoints,
  sandbox: Sandbox | null,
  out: (line: string) => void,
): void {
  out(`openshelf ${app.version} answers at ${url}`);
  if (metricsUrl !== null) out(`metrics at ${metricsUrl}/metrics`);
  if (sandbox === null) return;
  const { url: pages, upc } = sandbox.describe();
  out('simulated shops; product pages to try:');
  Object.values(pages).forEach((each) => out(`  ${each}`));
  out(`and a barcode that all seven retailers sell: ${upc}`);
}

/** Resolves when the signal is aborted. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}

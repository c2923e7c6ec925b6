// openshelf serve: runs the service until it is stopped.

import { getCompileCacheDir } from 'node:module';
import { setFlagsFromString } from 'node:v8';

import type { App } from '../../app.ts';
import type { Doors } from '../../../server/listen/doors.ts';
import type { Store } from '../../../data/store.ts';
import { loadApp } from '../../wiring/load-app.ts';
import { openServiceData, withStore } from '../../wiring/open-store.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { readConfig, type Config } from '../../config.ts';
import type { Env } from '../../settings/read-settings.ts';
import { createLog } from '../../../base/log.ts';
import { versionText } from '../../package-files.ts';
import type { Sandbox } from '../../../../sandbox/server.ts';
import { messageOf } from '../../../base/fault.ts';
import {
  DONE,
  isDeploy,
  printJson,
  untilStopped,
  type Command,
  type CommandInput,
  type Io,
} from '../command.ts';
import { settingsHelp } from '../help.ts';
import { startDoors } from './listening.ts';
import { DATA_OPTION, numberOption, settingDefault, textOption } from '../options.ts';
import {
  MARKET_OPTIONS,
  marketOptions,
  needsSandbox,
  openSandbox,
  sandboxEnv,
  withSandbox,
  withSandboxSearch,
} from '../sandbox-config.ts';
import { isWorker, leaveParent, notifyParent, stoppedByParent, type Listening } from './worker.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'run the service',
  synopsis: [
    '[--port N] [--host ADDRESS] [--data DIR] [--workers N] [--role ROLES] [--sandbox [--seed N] [--products N] [--terms]] [--json]',
  ],
  options: {
    port: {
      value: 'N',
      help: `the port to listen on; 0 picks a free one (${settingDefault('port')})`,
    },
    host: { value: 'ADDRESS', help: `the address to listen on (${settingDefault('host')})` },
    data: DATA_OPTION,
    workers: {
      value: 'N',
      help:
        `the number of processes that share the port (${settingDefault('workers')}); more than one requires ` +
        'DATABASE_URL',
    },
    role: {
      value: 'ROLES',
      help:
        `what the processes do (${settingDefault('roles')}): api answers calls; indexer works in the background ` +
        'and answers health checks and metrics only',
    },
    sandbox: {
      help: 'use simulated shops and retailers on this machine instead of the internet',
    },
    seed: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.seed.help}` },
    products: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.products.help}` },
    terms: { help: 'with --sandbox: apply the terms of official APIs to the simulated market too' },
    json: {
      help:
        'print {"url", "pid"} as the first line once it answers; with OPENSHELF_METRICS also ' +
        '"metrics_url"',
    },
  },
  notes: [
    'Exits on SIGTERM or SIGINT, after the responses in progress are finished.',
    '',
    ...settingsHelp(),
  ],
  run: async ({ values, io, asCalled }) => {
    const port = numberOption(values, 'port', { min: 0, max: 65_535 });
    const host = textOption(values, 'host');
    const dataDir = textOption(values, 'data');
    const market = marketOptions(values);
    needsSandbox(values);
    const hasTerms = values['terms'] === true;
    const workers = textOption(values, 'workers');
    const role = textOption(values, 'role');
    const config = readConfig(io.env, {
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(workers === undefined ? {} : { workers }),
      ...(role === undefined ? {} : { roles: role }),
    });
    await using sandbox = values['sandbox'] === true ? await openSandbox(market) : null;
    const stop = isWorker() ? stoppedByParent(io.stop) : io.stop;
    const announce = announcerOf(
      io,
      { sandbox, dataDir, asCalled },
      { config, isJson: values['json'] === true },
    );
    if (config.workers > 1 && !isWorker()) {
      remarkOn(io);
      await serveByWorkers(config, io, { sandbox, hasTerms }, announce);
      return DONE;
    }
    if (!isWorker()) remarkOn(io);
    const whole = withSandboxSearch(withSandbox(config, sandbox, { hasTerms }), sandbox);
    try {
      await serveHere(whole, { io, stop, announce });
    } finally {
      if (isWorker()) leaveParent();
    }
    return DONE;
  },
};

function remarkOn({ envRemark, err }: Io): void {
  if (typeof envRemark === 'string') createLog((line) => err(line.trimEnd())).info(envRemark);
}

type Opened = { readonly store: Store; readonly doors: Doors };

/**
 * Opens the store first. Its writer thread then starts on another processor, while this one begins to listen and to load the
 * rest of the service. Liveness checks are answered; everything else waits for the rest.
 */
async function openFirst(config: Config): Promise<Opened> {
  const opening = openServiceData(config);
  const [store, doors] = await Promise.allSettled([opening, openDoorsFirst(config)]);
  if (store.status === 'fulfilled' && doors.status === 'fulfilled')
    return { store: store.value, doors: doors.value };
  if (doors.status === 'fulfilled') await doors.value.close(0);
  if (store.status === 'rejected') throw store.reason;
  await store.value[Symbol.asyncDispose]();
  throw (doors as PromiseRejectedResult).reason;
}

async function openDoorsFirst(config: Config): Promise<Doors> {
  const { openDoorsOf } = await import('../../wiring/open-doors.ts');
  const doors = await startDoors(openDoorsOf(config, systemClock), config);
  // A loading failure is reported where the result is awaited.
  loadApp().catch(() => undefined);
  return doors;
}

async function openWhole(config: Config, { store, doors }: Opened, { err }: Io): Promise<App> {
  await using closing = new AsyncDisposableStack();
  closing.defer(() => doors.close(0));
  closing.use(store);
  const { openApp } = await loadApp();
  const app = await openApp(config, { logTo: err, store });
  closing.move();
  return app;
}

/** Announces the service's address. */
type Announce = (listening: Listening) => Promise<void>;

/**
 * How much garbage V8 may let the heap collect, in percent of what is in use. By default it allows more than the same amount
 * again: with 20,000 cached answers a service took 532 MB, and now takes 358 to 374. It spends 0.3 to 0.5 % more of its time
 * collecting while it serves cached answers, 2 % while it makes new ones. It is set after the start, which would otherwise take
 * longer.
 */
const HEAP_GROWS_BY_PERCENT = 30;

type Serving = { readonly io: Io; readonly stop: AbortSignal; readonly announce: Announce };

/** Answers in this process until stopped. */
async function serveHere(config: Config, serving: Serving): Promise<void> {
  const ended = new AbortController();
  void endInTime(config.drainMs + CLOSING_MS, serving, ended.signal);
  try {
    await serveUntilStopped(config, serving);
  } finally {
    ended.abort();
  }
}

/**
 * Time after the last answer for the service's final writes and closing: less than a process manager waits before it kills.
 */
const CLOSING_MS = 2_000;

/**
 * Ends the process in time: a database that has stopped answering, or a slow receiver of notices, would delay it for as long
 * as it waits for them.
 */
async function endInTime(ms: number, { io, stop }: Serving, ended: AbortSignal): Promise<void> {
  await untilStopped(stop);
  const isTooLong = await systemClock.sleep(ms, ended).then(
    () => true,
    () => false,
  );
  if (!isTooLong) return;
  io.err(
    'Not everything finished in time: the database, or a receiver of notices, did not answer. Answered calls ' +
      'are charged; other work in progress will be repeated.',
  );
  io.end?.(0);
}

async function serveUntilStopped(config: Config, { io, stop, announce }: Serving): Promise<void> {
  const opened = await openFirst(config);
  const { main, metrics } = opened.doors;
  const listening = { url: main.url, metricsUrl: metrics?.url ?? null };
  if (!isWorker()) await announce(listening);
  await using app = await openWhole(config, opened, io);
  await app.listen({ doors: opened.doors });
  void cleanCompileCache();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_BY_PERCENT}`);
  if (isWorker()) notifyParent(listening);
  await untilStopped(stop);
  const { drainMs, drainDelayMs } = config;
  await app.stop(drainMs, isDeploy(stop) ? drainDelayMs : 0);
}

/** A failure does not matter: the next start tries again. */
async function cleanCompileCache(): Promise<void> {
  const { removeOldCompileCaches } = await import('./old-compile-caches.ts');
  await removeOldCompileCaches(getCompileCacheDir(), systemClock.now()).catch(() => undefined);
}

async function serveByWorkers(
  config: Config,
  io: Io,
  { sandbox, hasTerms }: { readonly sandbox: Sandbox | null; readonly hasTerms: boolean },
  announce: Announce,
): Promise<void> {
  // Done once for all workers: the schema is brought up to date, and a database that does not answer is reported once.
  await withStore(config, () => Promise.resolve());
  const { runWorkers } = await import('./workers.ts');
  const { host, port, roles, metrics, workers } = config;
  const played = sandbox === null ? {} : sandboxEnv(sandbox, io.env, { hasTerms });
  const env = { ...io.env, ...played };
  await runWorkers({
    count: workers,
    args: ['serve', '--host', host, '--port', `${port}`, '--role', roles.join(',')],
    envOf: (number) => ({ ...env, ...metricsOf(metrics, number), OPENSHELF_WORKERS: `${workers}` }),
    clock: systemClock,
    stop: io.stop,
    drainMs: config.drainMs + 2_000,
    started: (listening) => void announce(listening),
    say: io.err,
  });
}

/**
 * Returns the environment for a worker's metrics: each worker counts its own figures and serves them on its own port, the
 * next one.
 */
function metricsOf(metrics: Config['metrics'], number: number): Env {
  if (metrics === null) return {};
  const { host, port } = metrics;
  const shown = host.includes(':') ? `[${host}]` : host;
  return { OPENSHELF_METRICS: `${shown}:${port === 0 ? 0 : port + number - 1}` };
}

type Started = {
  readonly sandbox: Sandbox | null;
  /** The folder named by `--data`. */
  readonly dataDir: string | undefined;
} & Pick<CommandInput, 'asCalled'>;

function announcerOf(
  { out, ...io }: Io,
  started: Started,
  { config, isJson }: { readonly config: Config; readonly isJson: boolean },
): Announce {
  return async ({ url, metricsUrl }) => {
    const metrics = metricsUrl === null ? {} : { metrics_url: `${metricsUrl}/metrics` };
    if (isJson) {
      printJson({ out, ...io }, { url, pid: process.pid, ...metrics });
      return;
    }
    describeStart({ url, metricsUrl }, started, out);
    // Only a person may see the code: it never goes into a file or a service manager's journal.
    if (!io.isTerminal) return;
    try {
      const { openConsole } = await import('./console.ts');
      const opened = await withStore(config, (store, nowMs) => openConsole(store, url, {}, nowMs));
      out('Open the console in a browser (the address signs in once, within an hour):');
      out(`  ${opened.address}`);
    } catch (error) {
      // The service does not need this code, and the store's write problem may soon be over.
      const why = messageOf(error);
      const later = started.asCalled('openshelf console');
      out(`No address for the console could be created (${why}). Create one later: ${later}`);
    }
  };
}

function describeStart(
  { url, metricsUrl }: Listening,
  { sandbox, dataDir, asCalled }: Started,
  out: (line: string) => void,
): void {
  out(`openshelf ${versionText()} answers at ${url}`);
  if (metricsUrl !== null) out(`metrics at ${metricsUrl}/metrics`);
  out(`Reference of every route and field: ${url}/docs`);
  const place = dataDir === undefined ? '' : ` --data ${dataDir}`;
  out(asCalled(`Calls need an API key: openshelf keys create --org NAME${place}`));
  if (sandbox === null) return;
  const { url: pages, upc } = sandbox.describe();
  out('Simulated shops. Product pages to try:');
  Object.values(pages).forEach((each) => out(`  ${each}`));
  out(`A barcode that all seven retailers sell: ${upc}`);
}

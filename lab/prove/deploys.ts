// Promise 8: deploys drop nothing. Two processes behind a switch are replaced in turns under load, then one process alone.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { cleanEnv } from '../bench/children.ts';
import {
  makeStoredData,
  startProcess,
  type StoredData,
  type ProcessStart,
  type ServiceProcess,
} from './held-service.ts';
import type { KeptClientsJob, KeptClientsResult } from './kept-clients.ts';
import type { Proof } from './proof.ts';

const CLIENTS = 24;
const PAUSE_MS = 5;
const LONGEST_STOP_MS = 30_000;

type Restarts = {
  readonly count: number;
  readonly broken: number;
  readonly answered: number;
  readonly saysClose: number;
  readonly slowestMs: number;
  readonly codes: readonly (number | string)[];
  readonly firstBreak: string | null;
};

export const deploys: Proof = {
  name: 'deploys',
  promise: 8,
  says: 'A restart under load drops no request, and ends within 30 s.',
  run: async ({ isLong, say }) => {
    using data = await makeStoredData();
    const two = await behindSwitch(data, isLong ? 100 : 4, say);
    const one = await alone(data, isLong ? 100 : 3, say);
    const all = [two, one];
    const isEnded = all.every(
      ({ codes, slowestMs }) => codes.every((code) => code === 0) && slowestMs <= LONGEST_STOP_MS,
    );
    return {
      holds: isEnded && all.every(({ broken, saysClose }) => broken === 0 && saysClose > 0),
      figures: [
        `two processes behind a switch, ${textOf(two)}`,
        `one process alone, ${textOf(one)}: answered by it and not received`,
      ],
    };
  },
};

function textOf({ count, broken, answered, slowestMs, firstBreak }: Restarts): string {
  const why = firstBreak === null ? '' : ` (${firstBreak.slice(0, 200)})`;
  return (
    `${count} restarts under ${CLIENTS} clients, slowest stop ${(slowestMs / 1_000).toFixed(1)} s: ` +
    `${answered} requests answered, ${broken} broken${why}`
  );
}

type Clients = { stop(): Promise<KeptClientsResult> };

function startClients(job: Omit<KeptClientsJob, 'clients' | 'pauseMs'>): Clients {
  const child = fork(new URL('./kept-clients.ts', import.meta.url), { env: cleanEnv() });
  child.send({ ...job, clients: CLIENTS, pauseMs: PAUSE_MS });
  return {
    stop: async () => {
      const done = once(child, 'message') as Promise<[KeptClientsResult]>;
      child.send('stop');
      const [result] = await done;
      child.kill();
      return result;
    },
  };
}

function requestsOf({ path, key }: StoredData): readonly string[] {
  const fields = ['Host: 127.0.0.1', `Authorization: Bearer ${key}`, 'X-Request-Id: {id}'];
  return [path, '/livez', path].map(
    (target) => `GET ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`,
  );
}

type Switch = {
  readonly port: number;
  /** Resolves when it routes to exactly these. */
  sendsTo(ports: readonly number[]): Promise<void>;
  end(): void;
};

async function startSwitch(ports: readonly number[]): Promise<Switch> {
  const child: ChildProcess = fork(new URL('./switch.ts', import.meta.url), { env: cleanEnv() });
  child.send({ ports });
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  let ready: readonly number[] = [];
  // Listens permanently: Node queues messages without a listener, and the next listener would receive outdated ones.
  child.on('message', (message: { readonly ready: readonly number[] }) => {
    ({ ready } = message);
  });
  return {
    port,
    sendsTo: async (wanted) => {
      do await once(child, 'message');
      while (ready.length !== wanted.length || !wanted.every((each) => ready.includes(each)));
    },
    end: () => child.kill(),
  };
}

/** Each restart replaces one of the two; the other one serves meanwhile. */
async function behindSwitch(
  data: StoredData,
  count: number,
  say: (line: string) => void,
): Promise<Restarts> {
  const env = { ...data.env, OPENSHELF_DRAIN_DELAY_MS: '400', OPENSHELF_TRUST_PROXY: 'true' };
  const places = [data.copy(), data.copy()];
  const starts: ProcessStart[] = places.map((dataDir) => ({ dataDir, port: 0, env }));
  const running: ServiceProcess[] = await Promise.all(starts.map(startProcess));
  const ports = running.map(({ port }) => port);
  const between = await startSwitch(ports);
  await between.sendsTo(ports);
  const clients = startClients({ port: between.port, requests: requestsOf(data) });
  const codes: (number | string)[] = [];
  let slowestMs = 0;
  for (let round = 0; round < count; round += 1) {
    const at = round % 2;
    const { code, ms } = await running[at]!.stop('SIGTERM');
    codes.push(code);
    slowestMs = Math.max(slowestMs, ms);
    running[at] = await startProcess({ ...starts[at]!, port: ports[at]! });
    await between.sendsTo(ports);
    if (round % 10 === 9) say(`${round + 1} restarts behind the switch`);
  }
  const result = await clients.stop();
  between.end();
  await Promise.all(running.map((each) => each.stop('SIGINT')));
  const refused = Object.values(result.refused).reduce((sum, each) => sum + each, 0);
  return {
    ...result,
    count,
    broken: refused + result.unanswered.length,
    // The switch keeps its clients' connections; the services close those of the switch.
    saysClose: 1,
    slowestMs,
    codes,
  };
}

/** No process serves while the only one is replaced; but everything it has answered must have been received. */
async function alone(
  data: StoredData,
  count: number,
  say: (line: string) => void,
): Promise<Restarts> {
  const env = { ...data.env, OPENSHELF_DRAIN_DELAY_MS: '200' };
  const dataDir = data.copy();
  const codes: (number | string)[] = [];
  const logs: string[] = [];
  let slowestMs = 0;
  let port = 0;
  let clients: Clients | null = null;
  for (let round = 0; round < count; round += 1) {
    const service = await startProcess({ dataDir, port, env });
    port = service.port;
    clients ??= startClients({ port, requests: requestsOf(data) });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { code, ms } = await service.stop('SIGTERM');
    codes.push(code);
    slowestMs = Math.max(slowestMs, ms);
    logs.push(service.log());
    if (round % 10 === 9) say(`${round + 1} restarts of one process`);
  }
  const result = await clients!.stop();
  const answered = new Set(
    logs.flatMap((log) => [...log.matchAll(/"request_id":"(r\d+-\d+)"/g)].map(([, id]) => id)),
  );
  const lost = result.unanswered.filter((id) => answered.has(id));
  const refused = Object.values(result.refused).reduce((sum, each) => sum + each, 0);
  return { ...result, count, broken: lost.length + refused, slowestMs, codes };
}

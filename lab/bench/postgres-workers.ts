// Measures the extra cost of several processes on one port: CPU time of a cached lookup with 4 workers on PostgreSQL
// against 1 process, alternating, on one database. The workers accept connections themselves, so the share of each is
// checked.

import { readdirSync, readFileSync } from 'node:fs';

import { withClient } from '../../tests/support/databases.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import { openStage, type LookupEffort, type LookupStage, type Side } from './lookup-stage.ts';
import { figureOf, type Figure, type Pair, type Sample } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { CONNECTIONS, DURABLE } from './postgres-lookup.ts';
import { openShop } from './shop.ts';

const SEED = 67;
const WORKERS = 4;
/**
 * With one warm-up round, four workers took 1.67 times the CPU time of one process, with enough rounds 1.25: their code was
 * not compiled yet.
 */
const WARM_UP_ROUNDS = 4;
/**
 * Each of them must have done at least a quarter of its share; otherwise connections were not spread and the figure is
 * meaningless.
 */
const LEAST_OF_SHARE = 0.25;

/** Measures CPU time: of all processes of the service, and of the database server. */
export async function benchPostgresWorkers(effort: LookupEffort): Promise<readonly Figure[]> {
  const page = smallPage(SEED);
  await using server = await startPostgres(DURABLE);
  await using shop = await openShop();
  shop.add(page);
  await using stage = await openStage({ effort, env: shop.env, databaseUrl: server.url });
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  await stage.kept(path);
  const one = stage.call(path);
  const several = { ...one, server: await stage.withWorkers(WORKERS) };
  const postmaster = await postmasterOf(server.url);
  // Until each process has cached the answer and compiled its code: a worker gets only part of the calls.
  const warmUpMs = WARM_UP_ROUNDS * effort.msPerRound;
  await stage.round(several, CONNECTIONS, WORKERS * warmUpMs);
  await stage.round(one, CONNECTIONS, warmUpMs);
  const before = await several.server.workersCpuUs();
  const rounds: Record<'service' | 'database', Pair>[] = [];
  for (let index = 0; index < effort.pairs; index += 1) {
    const measured = await roundOf(stage, several, { postmaster, maxMs: effort.msPerRound });
    const baseline = await roundOf(stage, one, { postmaster, maxMs: effort.msPerRound });
    rounds.push({
      service: { measured: measured.service, baseline: baseline.service },
      database: { measured: measured.database, baseline: baseline.database },
    });
  }
  const shares = sharesOf(before, await several.server.workersCpuUs());
  await stage.checkBilled();
  const text = { ratioOf: 'time', baseline: 'one process' } as const;
  const what = `a cached lookup on PostgreSQL, ${CONNECTIONS} at once, ${WORKERS} workers (of their work ${shares})`;
  return [
    figureOf(
      {
        ...text,
        name: 'workers-cpu',
        measured: `CPU of ${what}`,
        goal: { is: 'at most', value: 1.2, stretch: 1.1 },
      },
      rounds.map(({ service }) => service),
    ),
    ...(postmaster === null
      ? []
      : [
          figureOf(
            {
              ...text,
              name: 'workers-server-cpu',
              measured: `CPU of PostgreSQL for ${what}`,
              goal: null,
            },
            rounds.map(({ database }) => database),
          ),
        ]),
  ];
}

type RoundCpu = { readonly service: Sample; readonly database: Sample };

async function roundOf(
  stage: LookupStage,
  side: Side,
  { postmaster, maxMs }: { readonly postmaster: number | null; readonly maxMs: number },
): Promise<RoundCpu> {
  const from = postmaster === null ? 0 : treeCpuUs(postmaster);
  const { answers, cpuUsPerCall } = await stage.round(side, CONNECTIONS, maxMs);
  const database = postmaster === null ? 0 : (treeCpuUs(postmaster) - from) / answers;
  return { service: cpuOnly(cpuUsPerCall ?? 0), database: cpuOnly(database) };
}

/** CPU time is what is compared. */
function cpuOnly(us: number): Sample {
  return { usPerCall: us, cpuUsPerCall: us };
}

/** Returns each worker's share of the total work, in percent. Throws if one of them did almost nothing. */
function sharesOf(before: readonly number[], after: readonly number[]): string {
  const used = after.map((us, index) => us - (before[index] ?? 0));
  const sum = used.reduce((total, each) => total + each, 0);
  const percents = used.map((each) => Math.round((100 * each) / sum)).toSorted((a, b) => b - a);
  if (used.length !== WORKERS || Math.min(...used) < (LEAST_OF_SHARE * sum) / WORKERS) {
    throw new Error(
      `connections were not spread over ${WORKERS} workers: ${percents.join(', ')} %`,
    );
  }
  return `${percents.join(', ')} %`;
}

/** Returns the server's first process; null on systems without files that contain a process's CPU time. */
async function postmasterOf(url: string): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const text = await withClient(url, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      "select pg_read_file('postmaster.pid') as text",
    );
    return rows[0]?.text ?? '';
  });
  return Number(text.split('\n')[0]);
}

const TICK_US = 10_000;

/** Returns the CPU time of a process, its exited children and its running ones. */
function treeCpuUs(parent: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== null);
  const ours = stats.filter(({ pid, ppid }) => pid === parent || ppid === parent);
  return ours.reduce((sum, { ticks }) => sum + ticks * TICK_US, 0);
}

/** Returns null if it has exited. */
function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may contain anything: state, ppid, ..., utime, stime, cutime, cstime.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return { pid: Number(pid), ppid: fields[1] ?? 0, ticks };
  } catch {
    return null;
  }
}

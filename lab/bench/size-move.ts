// Measures a move to the other database and back at scale: `openshelf migrate-store` from SQLite to PostgreSQL and from
// there into a new file, with an export after each; the exports must be identical byte for byte, and so must every table's
// digest.

import { createHash } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from './children.ts';

const DEADLINE_MS = 3 * 3_600_000;

type MoveFigures = {
  /** Of all tables. */
  readonly rows: number;
  /** Each row is copied, and read again on both sides. */
  readonly toServerSeconds: number;
  readonly backSeconds: number;
  readonly rowsASecond: { readonly toServer: number; readonly back: number };
  readonly exportedRows: number;
  readonly exportBytes: number;
  readonly exportSeconds: {
    readonly file: number;
    readonly server: number;
    readonly fileAgain: number;
  };
  readonly sha256: string;
};

type MoveEnds = {
  readonly dataDir: string;
  /** An empty database. */
  readonly url: string;
  /** For the exports and the file that is moved back. */
  readonly scratch: string;
};

/** Throws when anything is different afterwards. */
export async function moveThereAndBack(
  ends: MoveEnds,
  tell: (line: string) => void,
): Promise<MoveFigures> {
  const { dataDir, url, scratch } = ends;
  const again = join(scratch, 'again');
  const first = await exported(scratch, ['--data', dataDir], {});
  tell(`exported from the file: ${first.rows} rows in ${first.seconds.toFixed(1)} s`);
  const there = await moved(dataDir, url);
  tell(`moved to PostgreSQL: ${there.rows} rows in ${there.seconds.toFixed(1)} s`);
  const second = await exported(scratch, [], { DATABASE_URL: url });
  tell(`exported from PostgreSQL in ${second.seconds.toFixed(1)} s`);
  const back = await moved(url, again);
  tell(`moved back in ${back.seconds.toFixed(1)} s`);
  const third = await exported(scratch, ['--data', again], {});
  if (first.sha256 !== second.sha256 || first.sha256 !== third.sha256) {
    throw new Error('the exports before and after the moves are not the same');
  }
  if (there.tables !== back.tables) throw new Error('a table did not come back unchanged');
  return {
    rows: there.rows,
    toServerSeconds: there.seconds,
    backSeconds: back.seconds,
    rowsASecond: { toServer: there.rows / there.seconds, back: back.rows / back.seconds },
    exportedRows: first.rows,
    exportBytes: first.bytes,
    exportSeconds: { file: first.seconds, server: second.seconds, fileAgain: third.seconds },
    sha256: first.sha256,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now();
  return [await work(), (performance.now() - from) / 1e3];
}

async function exported(
  scratch: string,
  place: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const file = join(scratch, 'export.csv');
  const args = ['export', '--output', file, ...place, '--json'];
  const [printed, seconds] = await timed(() => runCommand(args, { env, deadlineMs: DEADLINE_MS }));
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  const bytes = statSync(file).size;
  rmSync(file);
  return { rows: Number(printed['rows']), bytes, seconds, sha256: hash.digest('hex') };
}

/** Returns the number of rows moved, and every table's content, as the command compared it on both sides. */
async function moved(from: string, to: string) {
  const args = ['migrate-store', '--from', from, '--to', to, '--json'];
  const [printed, seconds] = await timed(() => runCommand(args, { deadlineMs: DEADLINE_MS }));
  if (printed['complete'] !== true) throw new Error(`not moved: ${JSON.stringify(printed)}`);
  return { rows: Number(printed['rows']), tables: JSON.stringify(printed['tables']), seconds };
}

// Makes an SQLite file as small as its content: deleted rows leave free pages, which SQLite only uses for new rows.

import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StoreUnavailable } from '../sql.ts';
import { openAlone } from './whole-file.ts';

const MIB = 1_048_576;

/**
 * Rewrites the file in one transaction, which a crash undoes. No other process can use it meanwhile. Returns its size in bytes
 * before and after. Throws StoreUnavailable if another process has it open, or the disk has no room.
 */
export function vacuumSqlite(path: string): { readonly before: number; readonly after: number } {
  const connection = openAlone(path);
  try {
    const { db } = connection;
    db.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
    const before = statSync(path).size;
    refuseFullDisk(dirname(path), before);
    // The folder of the system for temporary files may be small, or in memory.
    db.exec(`pragma temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
    db.exec("vacuum; pragma wal_checkpoint(truncate); pragma temp_store_directory = ''");
    return { before, after: statSync(path).size };
  } finally {
    connection.close();
  }
}

/** The content is written to a temporary file, from there to the log, and then to the file itself. */
function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, 2 * bytes];
  if (free >= needed) return;
  throw new StoreUnavailable(
    `the disk of ${folder} has ${Math.floor(free / MIB)} MiB free; --vacuum needs up to ${Math.ceil(needed / MIB)} MiB for a ` +
      'moment. Free some space first.',
    { problem: 'full' },
  );
}

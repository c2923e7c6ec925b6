// One slice of compaction, read and then written, for tests that do something between two slices.

import {
  FROM_THE_START,
  readSlice,
  writeSlice,
  type CompactionPosition,
} from '../../src/data/maintenance/compact-observations.ts';
import type { Sql } from '../../src/data/sql.ts';

type Compacted = Omit<Awaited<ReturnType<typeof writeSlice>>, 'next'> & {
  readonly next: CompactionPosition | null;
};

/** Compacts one slice. `next` null: there are no more. */
export async function compactSlice(
  sql: Sql,
  beforeDay: number,
  size: Parameters<typeof readSlice>[2],
  position: CompactionPosition = FROM_THE_START,
): Promise<Compacted> {
  const slice = await readSlice(sql, beforeDay, size, position);
  if (slice === null) return { next: null, observations: 0, lost: 0, damaged: [] };
  return await writeSlice(sql, slice);
}

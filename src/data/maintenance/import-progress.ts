// The progress of a file import, stored in the data folder so that the import continues after a crash. It contains the
// position, and a digest of everything before it, because a changed file must be read from the start. It also contains the
// last row added, because a backup restored meanwhile does not have that row.

import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makePrivateFolder } from '../make-folder.ts';

export type ImportPlace = {
  /** The last row added to the data; null if there is none. */
  readonly added: AddedRow | null;
  /** Bytes processed, up to the end of a line. */
  readonly offset: number;
  /** Lines processed. */
  readonly line: number;
  readonly counts: Readonly<Record<string, number>>;
};

export type AddedRow = {
  readonly retailer: string;
  readonly key: string;
  readonly observedAtMs: number;
};

export type ImportProgress = {
  /**
   * Returns where an earlier run with the same file and options ended. Null to read from the start, also if the data lacks
   * what that run added.
   */
  read(isStored: (row: AddedRow) => Promise<boolean>): Promise<ImportPlace | null>;
  /** Updates the digest: pass every byte before the next `save`, in order. */
  pass(bytes: Uint8Array): void;
  save(place: ImportPlace): void;
  forget(): void;
};

/** `options` contains everything else that determines how the file is read. */
export function openImportProgress(
  dataDir: string,
  file: string,
  options: readonly string[],
): ImportProgress {
  const folder = join(dataDir, 'imports');
  const name = JSON.stringify([resolve(file), ...options]);
  const path = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`);
  let digest = createHash('sha256');
  return {
    async read(isStored) {
      const saved = readSaved(path);
      if (saved === null || saved.added === null || !(await isStored(saved.added))) return null;
      const passed = createHash('sha256');
      let length = 0;
      for await (const chunk of createReadStream(file, { end: saved.offset - 1 })) {
        const bytes = chunk as Buffer;
        passed.update(bytes);
        length += bytes.length;
      }
      if (length !== saved.offset || passed.copy().digest('hex') !== saved.sha256) return null;
      digest = passed;
      const { added, offset, line, counts } = saved;
      return { added, offset, line, counts };
    },
    pass: (bytes) => void digest.update(bytes),
    save(place) {
      makePrivateFolder(folder);
      const saved = { ...place, sha256: digest.copy().digest('hex') };
      writeFileSync(`${path}.part`, JSON.stringify(saved));
      renameSync(`${path}.part`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}

type Saved = ImportPlace & { readonly sha256: string };

/** Returns null if there is none, or it cannot be read: the file is then read from the start. */
function readSaved(path: string): Saved | null {
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Partial<Saved> | null;
    const { added = null, offset, line, counts, sha256 } = saved ?? {};
    const isWhole = Number.isInteger(offset) && Number.isInteger(line) && Number(offset) > 0;
    if (!isWhole || typeof counts !== 'object' || typeof sha256 !== 'string') return null;
    return {
      added: isRow(added) ? added : null,
      offset: Number(offset),
      line: Number(line),
      counts,
      sha256,
    };
  } catch {
    return null;
  }
}

function isRow(saved: Partial<AddedRow> | null): saved is AddedRow {
  const { retailer, key, observedAtMs } = saved ?? {};
  return typeof retailer === 'string' && typeof key === 'string' && Number.isInteger(observedAtMs);
}

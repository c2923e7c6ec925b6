// Turns a backup into the database of a data folder. It is copied next to the database, then upgraded and checked there. A
// rename puts it in place of the old one, so that there is always a complete database under the name.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { messageOf } from '../../base/fault.ts';
import { lockFile } from '../file-lock.ts';
import { makePrivateFolder } from '../make-folder.ts';
import type { SqliteConnection } from './connection.ts';
import { StoreUnavailable } from '../sql.ts';
import {
  COMPANIONS,
  giveName,
  isInUse,
  keepToOwner,
  openAlone,
  refuseBrokenFile,
  removeDatabase,
  syncFolder,
} from './whole-file.ts';

type Restore = {
  /** The backup. */
  readonly file: string;
  /** The database file to create from the backup. */
  readonly path: string;
  /** Whether an existing database may be replaced. */
  readonly replaces: boolean;
  /** The path to which the replaced database is moved; it must not exist. */
  readonly movedTo: string;
};

/**
 * `prepare` gets the path of the copy, upgrades it and checks it; if it rejects, nothing has changed. Returns whether a
 * database was replaced. Rejects with StoreUnavailable.
 */
export async function restoreSqlite(
  { file, path, replaces, movedTo }: Restore,
  prepare: (copy: string) => Promise<void>,
): Promise<boolean> {
  refuseUnfit(file);
  refuseTarget(path, replaces);
  const part = `${path}.restoring`;
  makePrivateFolder(dirname(path));
  using _alone = lockFile(part);
  removeDatabase(part);
  try {
    closeSync(openSync(part, 'wx', 0o600));
    copyFileSync(file, part);
    keepToOwner(part);
    await prepare(part).catch((error: unknown) => {
      throw ofBackup(error, part, file);
    });
    if (COMPANIONS.some((suffix) => existsSync(part + suffix))) {
      throw new StoreUnavailable(`${part} is open in another process`);
    }
    const copy = openSync(part, 'r+');
    fsyncSync(copy);
    closeSync(copy);
    const wasThere = existsSync(path);
    // A service may have begun to use the folder meanwhile.
    if (!replaces) refuseTarget(path, false);
    if (wasThere) replace(part, path, movedTo);
    else giveName(part, path);
    syncFolder(path);
    return wasThere;
  } finally {
    removeDatabase(part);
  }
}

/** The copy is gone by the time its error is read, so the message names the backup instead. */
function ofBackup(error: unknown, part: string, file: string): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  return new StoreUnavailable(error.message.replaceAll(part, file), {
    cause: error,
    problem: error.problem,
  });
}

function refuseUnfit(file: string): void {
  if (!existsSync(file)) throw new StoreUnavailable(`${file} does not exist.`);
  if (!statSync(file).isFile()) {
    throw new StoreUnavailable(`${file} is a folder. Specify a file that openshelf backup wrote.`);
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StoreUnavailable(
      `${file}-wal is next to ${file}: that is, or was, the database of a service and not a backup. ` +
        'Specify a file that openshelf backup wrote.',
    );
  }
  try {
    refuseBrokenFile(file);
  } catch (error) {
    const reason = messageOf(error);
    throw new StoreUnavailable(`${reason.split('. ')[0]}. Choose another backup.`, {
      cause: error,
    });
  }
}

function refuseTarget(path: string, replaces: boolean): void {
  if (!existsSync(path)) {
    refuseBrokenFile(path);
    return;
  }
  if (!replaces) {
    throw new StoreUnavailable(
      `${path} already exists. Choose another folder with --data; or add --replace, which keeps the old file under ` +
        'another name.',
    );
  }
  openedAlone(path)?.close();
}

/**
 * Opens the database, locked for this process. Null if it cannot be opened at all: it is then not in use. Throws while another
 * process has it open.
 */
function openedAlone(path: string): SqliteConnection | null {
  try {
    // SQLite would turn an empty file into a new database.
    refuseBrokenFile(path);
    return openAlone(path);
  } catch (error) {
    if (isInUse(error)) throw error;
    return null;
  }
}

/**
 * Closes the old database first, with its whole log merged into the file: a leftover log would be applied to the new one. A
 * damaged database is kept with its log.
 */
function replace(part: string, path: string, movedTo: string): void {
  const connection = openedAlone(path);
  try {
    if (connection !== null) closeLog(connection);
    keepAs(path, movedTo);
    for (const suffix of COMPANIONS) {
      if (existsSync(path + suffix)) renameSync(path + suffix, movedTo + suffix);
    }
    renameSync(part, path);
  } finally {
    connection?.close();
  }
}

/**
 * Merges the log into the file. No other process can start using the file until the connection is closed. A damaged file
 * keeps its log.
 */
function closeLog({ db }: SqliteConnection): void {
  try {
    db.exec('pragma journal_mode = delete; begin exclusive');
  } catch (error) {
    if (isInUse(error)) throw error;
  }
}

/** On a file system without links the file is copied. */
function keepAs(path: string, movedTo: string): void {
  try {
    linkSync(path, movedTo);
  } catch {
    copyFileSync(path, movedTo, constants.COPYFILE_EXCL);
    keepToOwner(movedTo);
  }
}

// How the service on an SQLite file notices commits of other processes without polling: a command touches the service's
// lock file after each commit, and the service watches that file.

import { lstatSync, lutimesSync, statSync, watch } from 'node:fs';

import type { Changes } from '../sql.ts';
import { serviceFileOf } from './whole-file.ts';

type SeenCommits = {
  /** Called after each commit of this process. */
  readonly noteOwn: () => void;
  /** Null as long as commits of other processes may go unnoticed. */
  readonly changes: () => Changes | null;
  readonly close: () => void;
};

/** For a command: notifies a service that uses the file of each commit. */
export function tellService(path: string): SeenCommits {
  return { noteOwn: () => touch(path), changes: () => null, close: () => undefined };
}

/**
 * For the service. Some file systems accept a watch and report nothing, so it counts from the first report, which the service
 * causes itself.
 */
export function seeCommits(path: string): SeenCommits {
  const waiting = new Set<() => void>();
  let count = 0;
  let isSeeing = false;
  const note = (): void => {
    count += 1;
    for (const each of waiting) each();
    waiting.clear();
  };
  const changes: Changes = {
    count: () => count,
    onNext: (call) => {
      waiting.add(call);
      return () => void waiting.delete(call);
    },
  };
  const unseen = (): void => {
    isSeeing = false;
    note();
  };
  let close = (): void => undefined;
  try {
    const file = serviceFileOf(path);
    const { ino } = statSync(file);
    const watcher = watch(file, { persistent: false }, () => {
      // Commands reach a file that was deleted or moved no more.
      isSeeing = statSync(file, { throwIfNoEntry: false })?.ino === ino;
      note();
    });
    watcher.on('error', unseen);
    close = () => watcher.close();
    touch(path);
  } catch {
    // The system has no watch left: the queue is then asked every second.
  }
  return { noteOwn: note, changes: () => (isSeeing ? changes : null), close };
}

/**
 * By its path: closing a file descriptor would release the lock that this process may have on the file. A link is not followed,
 * because root may run a command in the folder of another user.
 */
function touch(path: string): void {
  const file = serviceFileOf(path);
  try {
    const { atime, mtime } = lstatSync(file);
    lutimesSync(file, atime, mtime);
  } catch {
    // No service has ever used this database, or it is another user's: it asks every minute.
  }
}

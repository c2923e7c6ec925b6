// The output at a path. It is a file, which gets its name when it is complete; or an existing pipe or device, which is written
// to and not replaced.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

export type TextOutput = {
  /** Writes all of it, or throws. */
  readonly write: (text: string) => void;
  /** Gives the complete file its name. */
  readonly keep: () => void;
  /** Removes a file that is not complete. */
  readonly drop: () => void;
};

/** Opens a text output: a file, or a stream. */
export function openTextOutput(path: string): TextOutput {
  return isStreamPath(path) ? openStream(path) : openFile(filePath(path));
}

/** Checks for a pipe, a device or a socket. */
export function isStreamPath(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Returns the path at which the file is written. A link is followed, so that it remains a link. Throws if the path is not a
 * file.
 */
export function filePath(path: string): string {
  if (isStreamPath(path)) {
    throw new Error(
      `${path} is a pipe or a device. Specify a file: it appears when it is complete.`,
    );
  }
  if (!existsSync(path)) return path;
  const target = realpathSync(path);
  if (statSync(target).isDirectory()) throw new Error(`${path} is a folder. Specify a file in it.`);
  return target;
}

function openFile(path: string): TextOutput {
  const part = `${path}.part`;
  const { file, write, close } = opened(part);
  return {
    write,
    keep() {
      fsyncSync(file);
      close();
      renameSync(part, path);
    },
    drop() {
      close();
      rmSync(part, { force: true });
    },
  };
}

function openStream(path: string): TextOutput {
  const { write, close } = opened(path);
  return { write, keep: close, drop: close };
}

function opened(path: string) {
  const file = openSync(path, 'w', 0o600);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return { file, write: (text: string) => writeFileSync(file, text), close };
}

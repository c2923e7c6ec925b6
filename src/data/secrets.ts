// The key that encrypts secrets of callers: the operator's setting, or a file next to the SQLite database that only its owner
// may read. Backups omit the file, so that a copy of the data alone decrypts nothing.

import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { FaultError, type Fault } from '../base/fault.ts';
import { makePrivateFolder } from './make-folder.ts';
import { beginningWith, openText, sealText } from './sealed-text.ts';

export type Secrets = {
  /**
   * Throws FaultError `secrets_key_missing` if this installation has no key and no place to create one, like `seal` and
   * `derive`.
   */
  demandKey(): void;
  seal(about: string, text: string): string;
  /** Null if the text was sealed with a key that is not here. */
  open(about: string, sealed: string): string | null;
  /** Returns the prefix of everything sealed with the current key; null if there is no key. */
  sealedBegins(): string | null;
  /** Returns 32 bytes that cannot be computed without the key, the same for the same name. */
  derive(name: string): Uint8Array;
};

type SecretsConfig = {
  readonly secretsKey: Uint8Array | null;
  /** Null if the data is on a server, where no key file can be stored. */
  readonly folder: string | null;
};

const SECRETS_KEY_FILE = 'secrets.key';
const IDENTITY_KEY_FILE = 'identity.key';

/** D74: on PostgreSQL the key is a setting, and the service also starts without it. A 503, because no caller can fix it. */
const SECRETS_KEY_MISSING: Fault = {
  code: 'secrets_key_missing',
  retryAfterSeconds: 3_600,
  detail:
    'This installation has no key for encrypting the secrets of channels. The operator has to set ' +
    'OPENSHELF_SECRETS_KEY for every process (openssl rand -base64 32 generates a value) and start the service ' +
    'again.',
};

/**
 * Reads or makes the key when it is first needed. `seal`, `open` and `sealedBegins` throw if its file cannot be read or
 * written.
 */
export function createSecrets({ secretsKey, folder }: SecretsConfig): Secrets {
  let known = secretsKey;
  const path = folder === null ? null : secretsKeyFileIn(folder);
  const stored = () => (known ??= path === null ? null : readKeyFile(path));
  const demandKey = () => {
    if (known === null && path === null) throw new FaultError(SECRETS_KEY_MISSING);
  };
  const storedOrMade = (): Uint8Array => {
    const key = stored() ?? (path === null ? null : makeKeyFile(path));
    if (key === null) throw new FaultError(SECRETS_KEY_MISSING);
    return (known = key);
  };
  return {
    demandKey,
    derive: (name) => createHmac('sha256', storedOrMade()).update(name).digest(),
    sealedBegins() {
      const key = stored();
      return key === null ? null : beginningWith(key);
    },
    seal: (about, text) => sealText(storedOrMade(), about, text),
    open(about, sealed) {
      const key = stored();
      return key === null ? null : openText(key, about, sealed);
    },
  };
}

/** Returns the 32 bytes in a key file; null if it does not exist. Throws if it contains something else. */
export function readKeyFile(path: string): Uint8Array | null {
  const text = readIfThere(path);
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return Uint8Array.from(key);
  throw new Error(
    `${path} does not contain a key of 32 bytes. Restore the original file, or delete it.`,
  );
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the path of the key file next to the tables. */
export function secretsKeyFileIn(folder: string): string {
  return join(folder, SECRETS_KEY_FILE);
}

/** Returns the path of the key with which requests to shops are signed. Only a command creates this key. */
export function identityKeyFileIn(folder: string): string {
  return join(folder, IDENTITY_KEY_FILE);
}

/** `none`: the source folder has no key. `other`: the target folder has a different key, which is kept. */
type CopiedKey = 'none' | 'copied' | 'other';

/** Copies a folder's key to the folder its data is moved to. Throws if one of them cannot be read or written. */
export function copySecretsKey(from: string, to: string): CopiedKey {
  const key = readKeyFile(secretsKeyFileIn(from));
  if (key === null) return 'none';
  makePrivateFolder(to);
  return Buffer.compare(makeKeyFile(secretsKeyFileIn(to), key), key) === 0 ? 'copied' : 'other';
}

/** Returns a new key as its file and its setting contain it. */
export function newKeyText(made: Uint8Array = randomBytes(32)): string {
  return Buffer.from(made).toString('base64');
}

/** Makes the file completely or not at all. If two processes make one at once, both get the key of the first. */
export function makeKeyFile(path: string, made?: Uint8Array): Uint8Array {
  const draft = `${path}.${process.pid}`;
  const text = `${newKeyText(made)}\n`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(path);
  if (key === null) throw new Error(`${path} was deleted while it was being created`);
  return key;
}

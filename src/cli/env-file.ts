// The file `.env` of the working folder (D73). Only main.ts reads it: commands, and so their tests, are given an environment.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SETTING_NAMES, type Env } from '../settings/read-settings.ts';

/** As in arguments.ts. */
const { parseEnv } = process.getBuiltinModule('node:util');

export type MergedEnv = {
  readonly env: Env;
  /** Names of settings that the file gives, in its order. */
  readonly taken: readonly string[];
  /** Names that the file gives in vain, because the environment has them. */
  readonly overridden: readonly string[];
};

/**
 * The environment with the settings of the file. What is no setting and does not look like one is for other programs that
 * read the same file; a mistyped setting is kept, so that it is refused like any other.
 */
function withEnvFile(env: Env, text: string): MergedEnv {
  const given = Object.entries(parseEnv(text.replace(/^\ufeff/, ''))).filter(
    ([name]) => SETTING_NAMES.includes(name) || name.startsWith('OPENSHELF_'),
  );
  const isSet = ([name]: readonly [string, unknown]): boolean => env[name] !== undefined;
  const added = given.filter((each) => !isSet(each));
  return {
    env: { ...env, ...Object.fromEntries(added) },
    taken: added.map(([name]) => name),
    overridden: given.filter(isSet).map(([name]) => name),
  };
}

/** The environment with the settings of `.env` in a folder; as it is where there is none. Throws where it cannot be read. */
export function readEnvFile(env: Env, folder: string): MergedEnv {
  const path = join(folder, '.env');
  const text = textOf(path);
  if (text.includes('\0')) {
    throw new Error(`The file ${path} is no text in UTF-8: save it as UTF-8, or remove it.`);
  }
  return withEnvFile(env, text);
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // A folder of that name, or a working folder that is gone: others may have put it there.
    if (code === 'ENOENT' || code === 'EISDIR') return '';
    throw new Error(
      `The file ${path} cannot be read (${String(code)}). It may hold settings: make it readable, or remove it.`,
      { cause: error },
    );
  }
}

/** For the log: which settings the file gave, never their values. Null where it gave none. */
export function envFileRemark({ taken, overridden }: MergedEnv): string | null {
  const said = [
    ...(taken.length === 0 ? [] : [`Settings read from .env: ${taken.join(', ')}.`]),
    ...(overridden.length === 0
      ? []
      : [`Set in the environment, so not taken from .env: ${overridden.join(', ')}.`]),
  ];
  return said.length === 0 ? null : said.join(' ');
}

// The file `.env` of the working folder (D73). Only main.ts reads it: commands, and so their tests, get their environment
// as an argument.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SETTING_NAMES, type Env } from '../settings/read-settings.ts';

/** Taken from the process for the reason given in arguments.ts. */
const { parseEnv } = process.getBuiltinModule('node:util');

type MergedEnv = {
  readonly env: Env;
  /** Names of settings taken from the file, in its order. */
  readonly taken: readonly string[];
  /** Names that the file gives without effect, because the environment already has them. */
  readonly overridden: readonly string[];
};

/**
 * Adds the file's settings to the environment. A name that is not a setting and does not look like one is left out: it is
 * for other programs that read the same file. A mistyped setting is kept, so that it is rejected like any other.
 */
function withEnvFile(env: Env, text: string, path: string): MergedEnv {
  const parsed = parseEnv(text);
  refuseIdleLines(text, parsed, path);
  const given = Object.entries(parsed).filter(
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

/** Matches a line that begins like one of our settings, whatever follows. */
const OURS = /^\s*(?:(?:export|setx?)\s+)?(openshelf_\w+|database_url)\b/i;

/**
 * Rejects a line that names a setting and sets nothing: one with a colon, in lowercase, or within an unclosed quotation. The
 * parser ignores such lines, so that a host to be denied would be asked. Throws an Error that shows no value.
 */
function refuseIdleLines(text: string, parsed: Readonly<Record<string, unknown>>, path: string) {
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const name = OURS.exec(line)?.[1];
    if (name === undefined || (name === name.toUpperCase() && parsed[name] !== undefined)) continue;
    throw new Error(
      `Line ${index + 1} of ${path} sets nothing. Write ${name.toUpperCase()}=value, in capital letters and with an equals sign; ` +
        'or close the quotation mark of the setting before it.',
    );
  }
}

/**
 * Returns the environment with the settings of a folder's `.env`; unchanged if there is none. Throws if it cannot be read.
 */
export function readEnvFile(env: Env, folder: string): MergedEnv {
  const path = join(folder, '.env');
  const text = textOf(path).replace(/^\ufeff/, '');
  if (text.includes('\0')) {
    throw new Error(`The file ${path} is not UTF-8 text: save it as UTF-8, or remove it.`);
  }
  return withEnvFile(env, text, path);
}

/** Returns the file's text; empty if there is no file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // A folder of that name, or a working folder that is gone: something else may have caused that.
    if (code === 'ENOENT' || code === 'EISDIR') return '';
    throw new Error(
      `The file ${path} cannot be read (${String(code)}). It may contain settings: make it readable, or remove it.`,
      { cause: error },
    );
  }
}

/** For the log: returns which settings came from the file, never their values. Null if none did. */
export function envFileRemark({ taken, overridden }: MergedEnv): string | null {
  const said = [
    ...(taken.length === 0 ? [] : [`Settings read from .env: ${taken.join(', ')}.`]),
    ...(overridden.length === 0
      ? []
      : [`Not read from .env, because the environment sets them: ${overridden.join(', ')}.`]),
  ];
  return said.length === 0 ? null : said.join(' ');
}

// Reads the values of the settings from environment and options, with everything that is wrong with them.

import { nearestName } from '../../base/nearest-name.ts';
import { CREDENTIAL_NAMES } from '../../read/retailers/credentials.ts';
import { SETTINGS, type Setting, type SettingField, type SettingValues } from './settings-table.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Command line settings, as text or number; they override the environment's. */
export type SettingOverrides = { readonly [Field in SettingField]?: string | number };

type ReadSettings = {
  /** The values; a setting with a problem has its default. */
  readonly values: SettingValues;
  /** Sentences that a person can act on. */
  readonly problems: readonly string[];
  /** The same, for problems that do not prevent the start. */
  readonly warnings: readonly string[];
};

/** Reads every setting of the table; never throws. */
export function readSettings(env: Env, overrides: SettingOverrides): ReadSettings {
  const { given, warnings: ofRenamed, problems: ofFormer } = renamed(trimmed(env));
  const warnings = [...ofRenamed, ...retired(env)];
  const problems = [...ofFormer, ...unknownNames(env), ...quotedCredentials(given)];
  const values: Record<string, unknown> = {};
  for (const [field, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const override = overrides[field as SettingField];
    const text = override === undefined ? given[setting.name] : String(override);
    const parsed = parsedSetting(setting, text);
    if ('problems' in parsed) problems.push(...parsed.problems);
    values[field] = 'value' in parsed ? parsed.value : defaultOf(setting);
  }
  return { values: values as SettingValues, problems, warnings };
}

/** Settings of earlier versions that were merged into one, with their former defaults. */
const FORMER = { OPENSHELF_PREPARED_MB: 64, OPENSHELF_REMEMBERED_MB: 32 } as const;
const FORMER_NAMES = Object.keys(FORMER) as readonly (keyof typeof FORMER)[];

/** Settings of sources that no longer exist: their values are ignored. Each with the reason. */
const RETIRED: Readonly<Record<string, string>> = {
  OPENSHELF_RETAILER_T_API_KEY: "the host of retailer_t's product JSON forbids every program",
};

/** Returns a sentence for each retired setting that is set. */
function retired(env: Env): readonly string[] {
  return Object.entries(RETIRED)
    .filter(([name]) => (env[name] ?? '').trim() !== '')
    .map(([name, reason]) => `${name} is not read: ${reason}. Remove this setting.`);
}

/** Returns the settings under their current names. Two merged numbers are added, unless the new setting states one. */
function renamed(given: Env) {
  const { name, kind } = SETTINGS.cacheMb;
  const stated = FORMER_NAMES.filter((former) => (given[former] ?? '') !== '');
  if (stated.length === 0) return { given, warnings: [], problems: [] };
  const parsed = stated.map((former) => kind.parse(given[former] ?? '', former));
  const problems = parsed.flatMap((each) => ('problems' in each ? each.problems : []));
  if (problems.length > 0) return { given, warnings: [], problems };
  const was = `${stated.join(' and ')} ${stated.length > 1 ? 'are' : 'is'}`;
  if ((given[name] ?? '') !== '') {
    return { given, warnings: [`${was} not read: ${name} is set, and replaces both.`], problems };
  }
  const sizes = FORMER_NAMES.map((former) => Number(given[former] || FORMER[former]));
  const sum = String(sizes.reduce((all, size) => all + size, 0));
  return {
    given: { ...given, [name]: sum },
    warnings: [`${was} now a part of ${name}. Set ${name}=${sum} instead.`],
    problems,
  };
}

/**
 * Trims white space around the settings. In a file with Windows line ends each setting ends with a carriage return, and a
 * PostgreSQL client took an address after a space for a host name. A text of white space only is kept, and is rejected if it
 * is not a value.
 */
function trimmed(env: Env): Env {
  return Object.fromEntries(
    [...SETTING_NAMES, ...FORMER_NAMES].map((name) => {
      const text = env[name];
      return [name, text === undefined || text.trim() === '' ? text : text.trim()];
    }),
  );
}

/**
 * Values in quotation marks. A shell removes these, but `docker run --env-file` does not: the data would be in a folder of that
 * name, next to the volume. The message does not repeat the value, because some are secrets.
 */
const QUOTED = /^(["']).*\1$/s;

const saidOfQuoted = (name: string): string =>
  `${name} begins and ends with a quotation mark. Remove both marks: they would be part of the value.`;

const quotedCredentials = (given: Env): readonly string[] =>
  CREDENTIAL_NAMES.filter((name) => QUOTED.test(given[name] ?? '')).map(saidOfQuoted);

function parsedSetting({ name, flag, kind, ...setting }: Setting<unknown>, text = setting.default) {
  if (QUOTED.test(text)) return { problems: [saidOfQuoted(name)] };
  const given = text === '' && kind.parsesEmpty !== true ? setting.default : text;
  return kind.parse(given, flag === undefined ? name : `${name} (--${flag})`);
}

function defaultOf({ name, kind, ...setting }: Setting<unknown>): unknown {
  const parsed = kind.parse(setting.default, name);
  return 'value' in parsed ? parsed.value : undefined;
}

/** The environment variables that are settings: those of the table, then the credentials. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.values(SETTINGS).map(({ name }) => name),
  ...CREDENTIAL_NAMES,
];

/** Returns a sentence for each variable that has the settings' prefix and is not one, so that a typing error is noticed. */
function unknownNames(env: Env): readonly string[] {
  return Object.keys(env)
    .filter((name) => LIKE_OURS.test(name) && !SETTING_NAMES.includes(name))
    .filter((name) => !FORMER_NAMES.some((former) => former === name) && !(name in RETIRED))
    .filter((name) => !FOR_TESTS.test(name))
    .map((name) => {
      const near = nearestSetting(name.toUpperCase());
      if (near !== null) return `Unknown setting ${name}. Did you mean ${near}?`;
      return `Unknown setting ${name}. "openshelf serve --help" lists the settings.`;
    });
}

const PREFIX = 'OPENSHELF_';
/**
 * Names like ours, also in lowercase, which the system treats as different: with `database_url` the data went into a file.
 */
const LIKE_OURS = /^(?:openshelf_|database_url$)/i;
/** Variables that only the tests and the evaluation programs read, never the service. */
const FOR_TESTS = /^OPENSHELF_(?:TEST_.*|VECTORS)$/;

/** Returns the nearest setting. Names are compared without the prefix, so that `OPENSHELF_PROT` is near to `PORT`. */
function nearestSetting(name: string): string | null {
  const bare = (text: string): string =>
    text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const near = nearestName(bare(name), SETTING_NAMES.map(bare));
  return SETTING_NAMES.find((each) => bare(each) === near) ?? null;
}

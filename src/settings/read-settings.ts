// Environment and options -> the values of the settings, with everything that is wrong with them.

import { nearestName } from '../core/nearest-name.ts';
import { CREDENTIAL_NAMES } from '../retailers/credentials.ts';
import { SETTINGS, type Setting, type SettingField, type SettingValues } from './settings-table.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings that the command line gives, as text or number; they take the place of the environment's. */
export type SettingOverrides = { readonly [Field in SettingField]?: string | number };

export type ReadSettings = {
  /** A setting with a problem has its default. */
  readonly values: SettingValues;
  /** Sentences a person can act on. */
  readonly problems: readonly string[];
};

/** Reads every setting of the table; never throws. */
export function readSettings(env: Env, overrides: SettingOverrides): ReadSettings {
  const problems = [...unknownNames(env)];
  const values: Record<string, unknown> = {};
  for (const [field, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const override = overrides[field as SettingField];
    const text = override === undefined ? env[setting.name] : String(override);
    const parsed = parsedSetting(setting, text);
    if ('problems' in parsed) problems.push(...parsed.problems);
    values[field] = 'value' in parsed ? parsed.value : defaultOf(setting);
  }
  return { values: values as SettingValues, problems };
}

function parsedSetting({ name, flag, kind, ...setting }: Setting<unknown>, text = setting.default) {
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

/** A sentence for each variable that has the prefix of the settings and is none: a typing error must not go unnoticed. */
function unknownNames(env: Env): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !SETTING_NAMES.includes(name))
    .filter((name) => !FOR_TESTS.test(name))
    .map((name) => {
      const near = nearestSetting(name);
      if (near !== null) return `Unknown setting ${name}. Did you mean ${near}?`;
      return `Unknown setting ${name}. "openshelf serve --help" lists the settings.`;
    });
}

const PREFIX = 'OPENSHELF_';
/** Read by the tests and the evaluation programs only, never by the service. */
const FOR_TESTS = /^OPENSHELF_(?:TEST_.*|VECTORS)$/;

/** Compared without the prefix, so that `OPENSHELF_PROT` is near to `PORT`. */
function nearestSetting(name: string): string | null {
  const bare = (text: string): string =>
    text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const near = nearestName(bare(name), SETTING_NAMES.map(bare));
  return SETTING_NAMES.find((each) => bare(each) === near) ?? null;
}

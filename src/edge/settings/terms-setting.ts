// OPENSHELF_TERMS (D81): the operator's changes to the terms of sources, field by field, as a written permission may allow
// them.

import {
  termsWith,
  TERMS_SOURCES,
  isTermsSource,
  type Terms,
  type TermsOverrides,
} from '../../rules/terms/profiles.ts';
import type { SettingKind } from './setting-kinds.ts';

/** `off`: no terms are applied at all; `unset`: they are, except to shops that are simulated on this machine. */
export type TermsSetting = 'off' | 'unset' | TermsOverrides;

type Field = {
  readonly key: keyof Terms;
  readonly words: string;
  readonly read: (text: string) => unknown;
};

const yesOrNo = (text: string) => ({ yes: true, no: false })[text];
const oneOf =
  (...words: readonly string[]) =>
  (text: string) =>
    words.includes(text) ? text : undefined;

function hours(text: string): number | null | undefined {
  if (text === 'none') return null;
  return /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

const HOURS = 'a whole number of hours from 1, or none';
const YES_OR_NO = 'yes or no';

const FIELDS: Readonly<Record<string, Field>> = {
  price_hours: { key: 'priceHours', words: HOURS, read: hours },
  identity_hours: { key: 'identityHours', words: HOURS, read: hours },
  history: { key: 'history', words: YES_OR_NO, read: yesOrNo },
  alerts: { key: 'alerts', words: YES_OR_NO, read: yesOrNo },
  merge: { key: 'merge', words: 'yes or isolated', read: oneOf('yes', 'isolated') },
  pictures: { key: 'pictures', words: 'store, link or none', read: oneOf('store', 'link', 'none') },
  export: { key: 'export', words: YES_OR_NO, read: yesOrNo },
};

/** `retailer_e.browse:merge=yes,price_hours=24;retailer_b.products:history=yes`; unknown names are refused. */
export const termsOfSources: SettingKind<TermsSetting> = {
  parse: (text, name) => {
    if (text.trim() === '') return { value: 'unset' };
    if (text === 'default') return { value: new Map() };
    if (text === 'off') return { value: 'off' };
    const problems: string[] = [];
    const overrides = new Map<string, Partial<Terms>>();
    for (const part of text.split(';').map((each) => each.trim())) {
      if (part === '') continue;
      const [, source = part, fields = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
      const found = fieldsIn(fields, `${name}: ${source}`, problems);
      if (!isTermsSource(source)) {
        problems.push(
          `${name}: "${source}" is not a source with terms. Those are ${TERMS_SOURCES.join(', ')} and feed.<name>.`,
        );
      }
      if (overrides.has(source)) problems.push(`${name}: ${source} is named twice.`);
      overrides.set(source, found);
      const inForce = termsWith(new Map([[source, found]]))(source);
      if (inForce !== null && inForce.alerts && !inForce.history) {
        problems.push(
          `${name}: ${source}: alerts=yes needs history=yes. A watch compares a price with earlier ones.`,
        );
      }
    }
    return problems.length === 0 ? { value: overrides } : { problems };
  },
};

function fieldsIn(text: string, name: string, problems: string[]): Partial<Terms> {
  const found: Record<string, unknown> = {};
  for (const pair of text.split(',').map((each) => each.trim())) {
    const at = pair.indexOf('=');
    const [key, word] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    const value = field?.read(word);
    if (field === undefined) {
      problems.push(`${name} takes ${Object.keys(FIELDS).join(', ')}, not "${pair}".`);
    } else if (value === undefined) {
      problems.push(`${name}: ${key} must be ${field.words}, not "${word}".`);
    } else found[field.key] = value;
  }
  return found;
}

// Chooses which candidate is a page's price, stock or barcode, once for all pages of its shop (D85); lists and deletes such
// rules.

import type { Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { amountOf } from '../../base/listing/money/minor-units.ts';
import { markOwnFacts } from '../../data/accounts/organizations.ts';
import {
  deleteRule,
  findRules,
  hostOfRules,
  insertRule,
  type NewRule,
  type RuleField,
  type StoredRule,
} from '../../data/answers/page-rules.ts';
import { madeId } from '../../data/made-id.ts';
import { HELD_MS } from '../../data/metering/authentication.ts';
import type { Store } from '../../data/store.ts';
import { chosenAmong } from '../../read/candidates/page-rules.ts';
import type { PageCandidate } from '../../read/candidates/candidates.ts';
import type { PageRules } from '../collect/page-rules.ts';
import type { ReadPageCandidates } from './page-candidates.ts';

/** Who chooses: the key, and its organization. */
type Chooser = {
  readonly organizationId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
};

type WantedRule = {
  readonly product: string;
  readonly field: RuleField;
  readonly value: string | number | boolean;
  /** The place of the candidate, as the list of candidates states it; absent if only one has the value. */
  readonly place?: { readonly line: number; readonly start: number } | undefined;
  readonly isForEveryone: boolean;
  /** The page as the chooser sees it; if absent, it is fetched. */
  readonly html?: Uint8Array | undefined;
};

export type ManageRules = {
  /** Throws the faults of the page's candidates, and invalid_parameter, insufficient_scope. */
  readonly choose: (
    wanted: WantedRule,
    chooser: Chooser,
    context: FetchContext,
  ) => Promise<NewRule>;
  /** The rules of the organization, and everyone's; the pages of others on which these are withdrawn only with `admin`. */
  readonly list: (chooser: Chooser) => Promise<readonly StoredRule[]>;
  /** FaultError not_found, insufficient_scope. */
  readonly remove: (id: string, chooser: Chooser) => Promise<void>;
};

type RulesParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly pageCandidates: ReadPageCandidates;
  readonly rules: Pick<PageRules, 'forget'>;
};

const MOST_OF_ONE = 500;

export function createManageRules(parts: RulesParts): ManageRules {
  const { store, pageCandidates } = parts;
  return {
    choose: async (wanted, chooser, context) => {
      const { field, isForEveryone, html } = wanted;
      if (isForEveryone) requireAdmin(chooser);
      const key = pageCandidates.parse(wanted.product);
      const page =
        html === undefined
          ? await pageCandidates.read(key, context)
          : await pageCandidates.readSent(key, html, context);
      const texts = page.candidates.flatMap(placed);
      const made = chosenAmong(chosenIn(texts, page.whyUnread, wanted), texts);
      const rule: NewRule = {
        id: madeId('rul', parts.newId()),
        organizationId: isForEveryone ? null : chooser.organizationId,
        author: chooser.keyId,
        host: hostOfRules(page.url),
        field,
        choice: JSON.stringify(made.choice),
        snapshot: JSON.stringify(made.snapshot),
        createdAtMs: parts.clock.now(),
      };
      await storeRule(parts, rule, context.signal);
      parts.rules.forget();
      return rule;
    },
    list: async ({ organizationId, scopes }) => {
      const rules = await findRules(store.sql, organizationId);
      const isShown = (rule: StoredRule) =>
        rule.organizationId !== null || scopes.includes('admin');
      return rules.map((rule) => (isShown(rule) ? rule : { ...rule, withdrawnUrl: null }));
    },
    remove: async (id, chooser) => {
      const rules = await findRules(store.sql, chooser.organizationId);
      const rule = rules.find((each) => each.id === id);
      if (rule === undefined) {
        const detail = `This organization has no rule "${id.slice(0, 64)}".`;
        throw new FaultError({ code: 'not_found', detail });
      }
      if (rule.organizationId === null) requireAdmin(chooser);
      await deleteRule(store.sql, rule);
      parts.rules.forget();
    },
  };
}

/**
 * Stores a rule. From then on the organization has answers of its own. The first rule takes half a second, until every
 * process knows of it. FaultError invalid_parameter if it has too many.
 */
async function storeRule(
  { store, clock }: Pick<RulesParts, 'store' | 'clock'>,
  rule: NewRule,
  signal: AbortSignal,
): Promise<void> {
  const { organizationId, host, field } = rule;
  if (organizationId !== null) {
    const own = (await findRules(store.sql, organizationId)).filter(
      (each) => each.organizationId !== null && !(each.host === host && each.field === field),
    );
    if (own.length >= MOST_OF_ONE) {
      throw refused('product', `An organization may have ${MOST_OF_ONE} rules. Delete some first.`);
    }
    const isFirst = await markOwnFacts(store.sql, organizationId);
    store.accounts.noteChange();
    if (isFirst) await clock.sleep(HELD_MS, signal);
  }
  await insertRule(store.sql, rule);
}

function requireAdmin({ scopes }: Chooser): void {
  if (scopes.includes('admin')) return;
  const detail = 'Rules for everyone need a key with the scope "admin".';
  throw new FaultError({ code: 'insufficient_scope', scope: 'admin', detail });
}

type ShownText = ReturnType<typeof placed>[number];

function placed({ said, shown }: PageCandidate) {
  return shown === null ? [] : [{ said, ...shown }];
}

/** Returns the candidate that was chosen. FaultError invalid_parameter if the page has no such candidate, or several. */
function chosenIn(
  texts: readonly ShownText[],
  whyUnread: string | null,
  { field, value, place }: WantedRule,
): ShownText {
  const same = texts.filter(({ said }) => said.field === field && valueOf(said) === value);
  const there = same.find(({ line, from }) => line === place?.line && from === place.start);
  const [first, ...others] = same;
  if (first === undefined) {
    const why = whyUnread === null ? '' : ` Nothing was taken: ${whyUnread}.`;
    throw refused('value', `The page does not contain this candidate now.${why}`);
  }
  if (there !== undefined || others.length === 0) return there ?? first;
  throw refused(
    'place',
    'Several candidates have this value. Send the current place of one of them.',
  );
}

function valueOf(said: PageCandidate['said']): string | number | boolean {
  if (said.field === 'price') return amountOf(said.money);
  return said.field === 'stock' ? said.inStock : said.gtin;
}

function refused(parameter: string, detail: string): FaultError {
  return new FaultError({ code: 'invalid_parameter', parameter, detail });
}

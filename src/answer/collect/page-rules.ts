// Applies rules (D85) to pages as they are read. The rules are cached in memory. At most twice a second, and only while
// pages are read, the database is asked whether they have changed. A page whose host has no rule takes no extra work.

import { HOUR_MS, type Clock } from '../../base/clock.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Listing } from '../../base/listing/listing.ts';
import type { OwnListing, Page, PageVerdict } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import {
  findRulesToApply,
  findRulesRevision,
  hostOfRules,
  noteRule,
  type RuleUse,
  type RuleToApply,
} from '../../data/answers/page-rules.ts';
import type { Store } from '../../data/store.ts';
import type { Choice, PageRule, RuleFinding } from '../../read/candidates/page-rules.ts';
import { withFound } from '../../read/candidates/page-rules.ts';
import { looksLikeJson } from '../../read/retailers/page-status.ts';

export type RuleInForce = PageRule & Pick<RuleToApply, 'organizationId' | 'host'>;

export type PageRules = {
  /**
   * The verdict with everyone's rules applied; its notes contain the listing of each organization that has rules of its
   * own.
   */
  readonly applied: (
    page: Page,
    verdict: PageVerdict<RetailerAnswer>,
    context: FetchContext,
  ) => Promise<PageVerdict<RetailerAnswer>>;
  /**
   * The listing of a page that an organization hands in, with its rules and everyone's applied; null for everyone's only.
   */
  readonly ofHandedIn: (
    page: Page,
    listing: Listing,
    organizationId: string | null,
    context: FetchContext,
  ) => Promise<Listing>;
  /** Makes the next use read the rules again, because this process has changed one. */
  readonly forget: () => void;
  /** The rules for a page: everyone's, and those of an organization. */
  readonly forPage: (url: string, organizationId: string) => Promise<readonly RuleInForce[]>;
};

type RuleParts = {
  readonly store: Pick<Store, 'sql'>;
  /** This clock is never set back. */
  readonly steady: Pick<Clock, 'now'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly readByRules: (
    page: Page,
    rules: readonly PageRule[],
    context: FetchContext,
  ) => Promise<readonly RuleFinding[] | null>;
};

/** The maximum age of the cached rules. */
const HELD_MS = 500;
/**
 * The maximum number of organizations whose listings one reading writes. The rules of further organizations wait until an
 * earlier rule is deleted.
 */
const MOST_ORGANIZATIONS = 50;

export function createPageRules(parts: RuleParts): PageRules {
  const rulesOf = createRules(parts);
  const note = createNotes(parts);

  async function findingsOf(page: Page, rules: readonly RuleInForce[], context: FetchContext) {
    const found = await parts.readByRules(page, rules, context);
    return new Map((found ?? []).map((each) => [each.ruleId, each]));
  }

  return {
    applied: async (page, verdict, context) => {
      if (verdict.kind !== 'read' || verdict.value.kind !== 'product') return verdict;
      // A rule says nothing of data without a page, and is not withdrawn by them.
      if (looksLikeJson(page)) return verdict;
      const rules = firstOrganizations(await rulesOf.at(page.url));
      if (rules.length === 0) return verdict;
      const findings = await findingsOf(page, rules, context);
      const by = (organizationId: string | null, listing: Listing) => {
        return ruled(listing, rules.filter(isOf(organizationId)), findings);
      };
      const common = by(null, verdict.value.listing);
      const organizations = new Set(rules.flatMap(({ organizationId }) => organizationId ?? []));
      const owns = [...organizations].map((organizationId) => ({
        organizationId,
        ...by(organizationId, common.listing),
      }));
      await note([common, ...owns], page);
      const withdrawn = rules.flatMap(({ id, organizationId, field }) => {
        if (organizationId === null || field !== 'price') return [];
        const { uses = [] } = owns.find((each) => each.organizationId === organizationId) ?? {};
        const [, use = null] = uses.find(([each]) => each === id) ?? [];
        if (use !== null && use !== 'withdrawn') return [];
        return [[organizationId, use === null ? null : id] as const];
      });
      const own = owns.filter(({ uses }) => uses.some(([, use]) => use !== 'withdrawn'));
      const listings: OwnListing[] = own.map(({ organizationId, listing }) => ({
        organizationId,
        listing,
      }));
      return {
        ...verdict,
        value: { ...verdict.value, listing: common.listing },
        notes: {
          ...verdict.notes,
          ...(own.length === 0 ? {} : { own: listings }),
          ...(withdrawn.length === 0 ? {} : { withdrawnRules: new Map(withdrawn) }),
        },
      };
    },
    ofHandedIn: async (page, listing, organizationId, context) => {
      const rules = ofReader(await rulesOf.at(page.url), organizationId);
      if (rules.length === 0) return listing;
      const done = ruled(listing, rules, await findingsOf(page, rules, context));
      // How a rule of everyone did on a page of one organization is nobody else's business.
      const ids = new Set(rules.filter(isOf(organizationId)).map(({ id }) => id));
      await note([{ ...done, uses: done.uses.filter(([id]) => ids.has(id)) }], page);
      return done.listing;
    },
    forget: rulesOf.forget,
    forPage: async (url, organizationId) => ofReader(await rulesOf.at(url), organizationId),
  };
}

/** Everyone's rules, then the organization's own, which take precedence. */
function ofReader(
  rules: readonly RuleInForce[],
  organizationId: string | null,
): readonly RuleInForce[] {
  const common = rules.filter(isOf(null));
  return organizationId === null ? common : [...common, ...rules.filter(isOf(organizationId))];
}

function isOf(organizationId: string | null) {
  return (rule: RuleInForce): boolean => rule.organizationId === organizationId;
}

function firstOrganizations(rules: readonly RuleInForce[]): readonly RuleInForce[] {
  const all = new Set(rules.flatMap(({ organizationId }) => organizationId ?? []));
  const first = new Set([...all].slice(0, MOST_ORGANIZATIONS));
  return rules.filter(({ organizationId: id }) => id === null || first.has(id));
}

type Ruled = {
  readonly listing: Listing;
  readonly uses: readonly (readonly [ruleId: string, use: RuleUse])[];
};

function ruled(
  listing: Listing,
  rules: readonly RuleInForce[],
  findings: ReadonlyMap<string, RuleFinding>,
): Ruled {
  const uses: [string, RuleUse][] = [];
  let changed = listing;
  for (const { id } of rules) {
    const finding = findings.get(id);
    // A page that was not read in time shows nothing about a rule.
    if (finding === undefined) continue;
    const { found } = finding;
    const next = found === null ? null : withFound(changed, found);
    uses.push([
      id,
      found === null || next === null ? 'withdrawn' : found.isDoubtful ? 'doubtful' : 'used',
    ]);
    changed = next ?? changed;
  }
  return { listing: changed, uses };
}

/** Returns the rules for the host of an address, the oldest first. */
function createRules({ store: { sql }, steady }: RuleParts) {
  let byHost: ReadonlyMap<string, readonly RuleInForce[]> = new Map();
  let revision = 0;
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const beganAtMs = steady.now();
    const newest = await findRulesRevision(sql);
    // After `openshelf load` there are rules without a revision.
    if (newest !== revision || readAtMs === -Infinity) {
      byHost = Map.groupBy((await findRulesToApply(sql)).map(inForce), ({ host }) => host);
    }
    revision = newest;
    readAtMs = beganAtMs;
  };
  return {
    forget: () => {
      readAtMs = -Infinity;
    },
    at: async (url: string): Promise<readonly RuleInForce[]> => {
      if (steady.now() - readAtMs >= HELD_MS) {
        // If the database does not answer, the page is read with the rules as they were.
        reading ??= read()
          .catch(() => undefined)
          .finally(() => {
            reading = null;
          });
        await reading;
      }
      return byHost.get(hostOfRules(url)) ?? [];
    },
  };
}

function inForce({ choice, ...rule }: RuleToApply): RuleInForce {
  // SAFETY: our own JSON, made by `chosenAmong` or checked as a `RuleFile`.
  return { ...rule, choice: JSON.parse(choice) as Choice };
}

/** Records the result of each rule at most once an hour. If a record is lost, the next page writes it again. */
function createNotes({ store: { sql }, clock }: RuleParts) {
  const notedAtMs = new Map<string, number>();
  return async (all: readonly Ruled[], { url }: Page): Promise<void> => {
    const atMs = clock.now();
    const due = all
      .flatMap(({ uses }) => uses)
      .filter(
        ([id, use]) => Math.abs(atMs - (notedAtMs.get(`${id} ${use}`) ?? -Infinity)) >= HOUR_MS,
      );
    if (due.length === 0) return;
    for (const [id, use] of due) notedAtMs.set(`${id} ${use}`, atMs);
    const notes = due.map(([id, use]) => noteRule(id, use, { url, atMs }));
    await sql.write(notes).catch(() => undefined);
  };
}

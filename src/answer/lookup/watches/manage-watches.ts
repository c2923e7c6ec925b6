// Creates, reads, changes and deletes watches for an organization. A refusal states which watches are possible instead.
// Fetches nothing: a watch's first check is due at once.

import { createHash } from 'node:crypto';

import type { Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import { isKnownSlug, isSlug, KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import { NEXT_STEPS } from '../../../base/next-steps.ts';
import { productCode, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import { slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import type { Store } from '../../../data/store.ts';
import { isMadeId, madeId } from '../../../data/made-id.ts';
import { insertNoticeToDeliver } from '../../../data/watches/notices-to-deliver.ts';
import {
  addWatch,
  beginAgain,
  deleteWatch,
  updateSettings,
  type WatchLimits,
} from '../../../data/watches/watch-writes.ts';
import type { WatchPlace } from '../../../data/watches/watches.ts';
import type {
  NewWatch,
  Notice,
  NotWatched,
  ShownWatch,
  Watch,
  WatchSettings,
} from '../../../rules/watches/stored-watch.ts';
import { troubleBody } from '../../../rules/watches/notice.ts';
import { NEVER_DUE_MS, nextSlotMs } from '../../../rules/watches/schedule.ts';
import {
  NEW_STATE,
  withDefault,
  type Rules,
  type WatchScope,
  type LastNotified,
  type WatchState,
} from '../../../rules/watches/watch.ts';
import { parseAllowedInput, parseInput, type IsAllowedUrl } from '../steps/parse-input.ts';
import { listingsOfPages, pageMeantBy } from './watch-questions.ts';
import { createWatchFeed, type WatchFeed } from './watch-feed.ts';
import { noSuchWatch } from './no-such.ts';
import { refuseUnmetShop } from '../history/history-retailer.ts';

type WantedWatch = Omit<WatchSettings, 'pausedAtMs' | 'retailer'> & {
  readonly identifier: string | null;
  /** Pages that form one watch, sent instead of an identifier. */
  readonly addresses: readonly string[];
  /** The watched retailer. Null for the anchor's retailer, or for any of the pages. */
  readonly retailer: string | null;
  /** Whether the currency of its rules was requested; else it is the installation's of now. */
  readonly isCurrencyAsked: boolean;
};

export type WatchOwner = { readonly organizationId: string; readonly keyId: string };

/** `isExisting`: the organization had a watch that asks for the same, so that none was created. */
type AddedWatch = ShownWatch & { readonly isExisting: boolean };

export type ManageWatches = WatchFeed & {
  /**
   * Creates a watch, or returns the one that already asks for the same. `once` is the caller's Idempotency-Key; the same key
   * gives the same watch.
   */
  add(owner: WatchOwner, wanted: WantedWatch, once: string | null): Promise<AddedWatch>;
  find(organizationId: string, id: string): Promise<ShownWatch>;
  list(
    organizationId: string,
    limit: number,
    after: WatchPlace | null,
    tag?: string,
  ): Promise<readonly ShownWatch[]>;
  change(organizationId: string, id: string, changed: ChangedSettings): Promise<ShownWatch>;
  remove(organizationId: string, id: string): Promise<void>;
  noticesOf(organizationId: string, id: string): Promise<readonly Notice[]>;
  /** Sends a notice of kind `test` through the watch's channels. */
  test(organizationId: string, id: string): Promise<Notice>;
};

type ChangedSettings = Partial<Omit<WatchSettings, 'pausedAtMs' | 'retailer' | 'rules'>> & {
  /**
   * Derives the new rules from those that the watch has when it is written, so that neither of two concurrent changes is
   * lost.
   */
  readonly rules?: (before: Rules) => Rules;
  readonly retailer?: string;
  readonly isPaused?: boolean;
};

type ManageWatchesParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly isAllowedUrl: IsAllowedUrl;
  readonly newId: () => string;
  /** Throws `throttled` if the organization has sent too many tests and replays today. */
  readonly takeAskedNotices: (organizationId: string, count: number) => Promise<void>;
  readonly limits: WatchLimits;
  /** A source whose terms are why nothing of the retailer can be watched; null if something can. */
  readonly forbidsWatching: (slug: KnownSlug) => string | null;
};

/** Maximum pages of one watch. */
export const MAX_ADDRESSES = 20;
const NOTICES_SHOWN = 20;
const ATTEMPTS = 5;

export function createManageWatches(parts: ManageWatchesParts): ManageWatches {
  const { store, clock } = parts;
  const find = async (organizationId: string, id: string): Promise<Watch> => {
    const watch = isMadeId('wat', id) ? await store.watches.find(organizationId, id) : null;
    if (watch === null) throw noSuchWatch(id);
    return watch;
  };
  const shown = (watch: Watch): ShownWatch => ({
    ...watch,
    notWatched: notWatched(parts.forbidsWatching, watch),
  });
  return {
    async add(owner, wanted, once) {
      const { isExisting, ...watch } = await add(parts, owner, wanted, once);
      return { ...shown(watch), isExisting };
    },
    find: async (organizationId, id) => shown(await find(organizationId, id)),
    list: async (organizationId, limit, after, tag) =>
      (await store.watches.list(organizationId, limit, after, tag)).map(shown),
    change: async (organizationId, id, changed) =>
      shown(await change(parts, () => find(organizationId, id), changed)),
    async remove(organizationId, id) {
      const isDone =
        isMadeId('wat', id) && (await store.sql.write(deleteWatch(organizationId, id))).done;
      if (!isDone) throw noSuchWatch(id);
    },
    noticesOf: (organizationId, id) => store.watches.findNotices(organizationId, id, NOTICES_SHOWN),
    async test(organizationId, id) {
      const { identifiers, state, channels } = await find(organizationId, id);
      await parts.takeAskedNotices(organizationId, Math.max(1, channels.length));
      const known = Object.values(state.known)[0] ?? null;
      const notice: Notice = {
        id: madeId('ntc', parts.newId()),
        organizationId,
        watchId: id,
        listingId: known?.listingId ?? null,
        kind: 'test',
        body: troubleBody('test', { identifiers, known }),
        atMs: clock.now(),
      };
      await store.sql.write(insertNoticeToDeliver({ ...notice, channels, identifiers }));
      return notice;
    },
    ...createWatchFeed(parts),
  };
}

async function add(
  { store, clock, isAllowedUrl, newId, limits, forbidsWatching }: ManageWatchesParts,
  { organizationId, keyId }: WatchOwner,
  wanted: WantedWatch,
  once: string | null,
): Promise<Watch & Pick<AddedWatch, 'isExisting'>> {
  await refuseUnknownChannels(store, organizationId, wanted.channels);
  const about = subjectOf(isAllowedUrl, wanted);
  await refuseUnmet(store, about);
  const { isHandedIn } = wanted.rules;
  if (isHandedIn !== true) refuseForbidden(forbidsWatching, about);
  const name = once === null ? newId() : `${organizationId}\n${once}`;
  const id = madeId('wat', name);
  const nowMs = clock.now();
  const { intervalMs, channels, failingAfter, rules, tags } = wanted;
  const watch: NewWatch = {
    id,
    organizationId,
    keyId,
    ...about,
    intervalMs,
    rules: withDefault(rules),
    channels,
    failingAfter,
    tags,
    pausedAtMs: null,
    nextAtMs: isHandedIn === true ? NEVER_DUE_MS : nowMs,
    createdAtMs: nowMs,
  };
  const stored = once === null ? null : await store.watches.find(organizationId, id);
  const { isCurrencyAsked } = wanted;
  if (stored !== null) return { ...again(stored, watch, isCurrencyAsked), isExisting: true };
  const pages = about.gtin === null ? await listingsOfPages(store, about.identifiers) : [];
  await store.sql.write(addWatch(watch, limits, pages));
  const made = await store.watches.find(organizationId, id);
  if (made !== null) {
    const own = once === null ? made : again(made, watch, isCurrencyAsked);
    return { ...own, isExisting: false };
  }
  const same = await store.watches.findSame(watch, pages);
  if (same !== null) return { ...same, isExisting: true };
  const { watches, identifiers } = await store.watches.count(organizationId);
  if (watches >= limits.watches) throw full('watches', limits.watches, 'OPENSHELF_MAX_WATCHES');
  throw identifiers + about.identifiers.length > limits.addresses
    ? full('identifiers and addresses', limits.addresses, 'OPENSHELF_MAX_WATCHED_ADDRESSES')
    : full('watches of this product', limits.ofProduct, 'OPENSHELF_MAX_WATCHES_OF_PRODUCT');
}

/**
 * Returns the stored watch of an Idempotency-Key, if the request is the same. A request without a currency means the
 * currency of the installation when the watch was made (D87).
 */
function again(stored: Watch, { rules, ...same }: NewWatch, isCurrencyAsked: boolean): Watch {
  const { currency } = stored.rules;
  const before = currency === undefined ? rulesWithout(rules) : { ...rules, currency };
  const asked = { ...same, rules: isCurrencyAsked ? rules : before };
  const chosen = ({ identifiers, gtin, retailer, intervalMs, ...more }: NewWatch): string => {
    const { rules, channels, failingAfter } = more;
    return JSON.stringify([identifiers, gtin, retailer, intervalMs, rules, channels, failingAfter]);
  };
  if (chosen(stored) === chosen(asked)) return stored;
  throw new FaultError({
    code: 'idempotency_conflict',
    detail:
      'This Idempotency-Key was used for another watch, or for one that was changed since. Use a new key for each new request.',
  });
}

function rulesWithout({ currency: _currency, ...rules }: Rules): Rules {
  return rules;
}

async function refuseUnknownChannels(
  { channels }: Store,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const possible = ids.filter((id) => isMadeId('chn', id));
  const stored = await channels.findStored(organizationId, possible);
  const unknown = ids.find((id) => !stored.includes(id));
  if (unknown === undefined) return;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'channels',
    detail: `There is no channel "${unknown}" in this organization. See ${NEXT_STEPS.channels.route}.`,
  });
}

type Subject = Pick<Watch, 'identifiers' | 'gtin' | 'retailer' | 'seed'>;

/** Returns the subject to watch. Throws a fault if it cannot be watched. */
function subjectOf(isAllowedUrl: IsAllowedUrl, wanted: WantedWatch): Subject {
  const { identifier, addresses } = wanted;
  const texts = identifier === null ? addresses : [identifier];
  refuseNul(texts, identifier === null ? 'addresses' : 'identifier');
  const retailer = scopeOf(wanted.retailer);
  const pages = () => pagesOf(isAllowedUrl, texts, wanted.retailer === null ? 'any' : retailer);
  if (identifier === null) return pages();
  const { identifiers, fromUrl } = parseAllowedInput(isAllowedUrl, identifier);
  const barcode = identifiers.find((each) => 'gtin14' in each);
  if (barcode !== undefined && 'gtin14' in barcode) {
    const { usable } = productCode(barcode.gtin14);
    // If no product can have a Digital Link's code, it is still a page (D75).
    if (!usable && fromUrl) return pages();
    if (!usable) {
      throw new FaultError({
        code: 'invalid_identifier',
        parameter: 'identifier',
        detail:
          `${barcode.value} is a code of a restricted range: it does not identify one product everywhere. Watch ` +
          'the address of its page.',
      });
    }
    return {
      identifiers: [identifier.trim()],
      gtin: barcode.gtin14,
      retailer,
      seed: seedOf(barcode.gtin14),
    };
  }
  return pages();
}

/** Refuses texts with a NUL character: no database stores it, and no identifier has it. */
function refuseNul(texts: readonly string[], parameter: string): void {
  if (!texts.some((text) => text.includes('\0'))) return;
  throw new FaultError({
    code: 'invalid_identifier',
    parameter,
    detail: 'The text contains a NUL character. Send it without that character.',
  });
}

/** Returns the listings of pages: each text is one. */
function pagesOf(
  isAllowedUrl: IsAllowedUrl,
  texts: readonly string[],
  retailer: WatchScope,
): Subject {
  const keys = texts.map((text) => {
    const key = pageMeantBy(parseAllowedInput(isAllowedUrl, text));
    if (key !== null) return key;
    throw new FaultError({
      code: 'invalid_identifier',
      parameter: texts.length > 1 ? 'addresses' : 'identifier',
      detail: `"${text.slice(0, 100)}" is not the address of a page. Send addresses of product pages, or one barcode as identifier.`,
    });
  });
  const first = (key: string) => keys.findIndex((each) => each.key === key);
  const isOwn = keys.some((key) => key.kind === 'retailer' && key.retailer === retailer);
  if (retailer !== 'any' && retailer !== 'best' && retailer !== 'anchor' && !isOwn) {
    throw new FaultError({
      code: 'retailer_mismatch',
      parameter: 'retailer',
      detail:
        `This identifier is a listing of its own retailer, not of "${retailer}". Leave out retailer, or watch the barcode ` +
        'of the product.',
    });
  }
  const scope = retailer === 'best' ? 'best' : 'any';
  return {
    // A page that is named twice is watched once.
    identifiers: texts.flatMap((text, at) =>
      first(keys[at]?.key ?? '') === at ? [text.trim()] : [],
    ),
    gtin: null,
    retailer: scope,
    seed: seedOf(keys[0]?.key ?? ''),
  };
}

function scopeOf(text: string | null): WatchScope {
  if (text === null || text === 'anchor' || text === 'any' || text === 'best')
    return text ?? 'anchor';
  const slug = slugNamed(text);
  if (isSlug(slug)) return slug;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'retailer',
    allowed: ['anchor', 'any', 'best', 'the slug of a retailer'],
    detail: `Unknown retailer "${text.slice(0, 64)}". Send anchor, any, best or a slug such as retailer_w.`,
  });
}

/** Returns the retailers that a watch of several cannot be judged by. */
function notWatched(
  forbidsWatching: ManageWatchesParts['forbidsWatching'],
  { gtin, identifiers, retailer: scope, rules }: Watch,
): readonly NotWatched[] {
  if (rules.isHandedIn === true) return [];
  if (scope !== 'any' && scope !== 'best') return [];
  const slugs = gtin === null ? identifiers.map(retailerOfPage) : KNOWN_SLUGS;
  return [...new Set(slugs)].flatMap((retailer) => {
    const source = isKnownSlug(retailer) ? forbidsWatching(retailer) : null;
    return source === null ? [] : [{ retailer, source }];
  });
}

/** Refuses a watch whose every page is of a retailer of which only sources can be asked whose terms allow no alerts (D81). */
function refuseForbidden(
  forbidsWatching: ManageWatchesParts['forbidsWatching'],
  { gtin, identifiers, retailer }: Pick<Watch, 'gtin' | 'identifiers' | 'retailer'>,
): void {
  const slugs = gtin === null ? identifiers.map(retailerOfPage) : [retailer];
  const sources = slugs.map((slug) => (isKnownSlug(slug) ? forbidsWatching(slug) : null));
  const [source] = sources;
  if (source === undefined || source === null || sources.includes(null)) return;
  throw new FaultError({
    code: 'source_unusable',
    parameter: gtin === null ? 'identifier' : 'retailer',
    detail:
      `${source} is the only source that this installation can query for it, and its terms do not allow price ` +
      'alerts. A source without such terms, or the pages of the retailer, could be watched if the ' +
      'operator enables them. Watch the product at another retailer, or see the terms in ' +
      `${NEXT_STEPS.retailers.route}.`,
  });
}

function retailerOfPage(text: string): string {
  const parsed = parseInput(text);
  const key = parsed.ok ? pageMeantBy(parsed) : null;
  return key?.kind === 'retailer' ? key.retailer : '';
}

const refuseUnmet = (
  { shops }: Store,
  { retailer }: { readonly retailer: WatchScope },
): Promise<void> =>
  refuseUnmetShop(
    shops,
    retailer,
    ['anchor', 'any', 'best'],
    'none of its products can be watched',
  );

/** Returns a number derived from the product's name, so that watches of one product are due together. */
function seedOf(name: Gtin14 | string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 5);
}

function full(what: string, limit: number, setting: string): FaultError {
  return new FaultError({
    code: 'invalid_parameter',
    parameter: 'identifier',
    detail:
      `The organization has reached its limit of ${limit} ${what}. Delete some, or ask the operator to ` +
      `raise ${setting}.`,
  });
}

/**
 * Changes a watch. A shorter interval brings the next check forward; a longer one applies from that check on, so that a due
 * check remains due. A watch that is moved to another retailer starts over.
 */
async function change(
  { store, clock, forbidsWatching }: ManageWatchesParts,
  find: () => Promise<Watch>,
  changed: ChangedSettings,
): Promise<Watch> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const watch = await find();
    await refuseUnknownChannels(store, watch.organizationId, changed.channels ?? []);
    const settings = settingsAfter(watch, changed, clock.now());
    if (changed.retailer !== undefined) {
      await refuseUnmet(store, settings);
      if (settings.rules.isHandedIn !== true)
        refuseForbidden(forbidsWatching, { ...watch, ...settings });
    }
    const isLedElsewhere = settings.retailer !== watch.retailer;
    const written = await store.sql.write([
      updateSettings(watch, settings),
      ...(isLedElsewhere ? beginAgain(watch) : []),
    ]);
    if (written.done) return find();
  }
  throw new FaultError({
    code: 'overloaded',
    retryAfterSeconds: 1,
    detail: 'The watch is being checked or changed at the moment. Try again.',
  });
}

function settingsAfter(
  watch: Watch,
  { isPaused, retailer: wanted, rules: rulesFrom, ...changed }: ChangedSettings,
  nowMs: number,
): WatchSettings & Pick<Watch, 'state' | 'nextAtMs'> {
  const merged = { ...watch, ...changed };
  const rules = withDefault(rulesFrom?.(watch.rules) ?? watch.rules);
  const retailer = wanted === undefined ? watch.retailer : changedScope(watch, wanted);
  const isLedElsewhere = retailer !== watch.retailer;
  const resumes = watch.pausedAtMs !== null && isPaused === false;
  const slotMs =
    merged.intervalMs === watch.intervalMs
      ? watch.nextAtMs
      : Math.min(watch.nextAtMs, nextSlotMs(watch.seed, merged.intervalMs, nowMs));
  return {
    ...merged,
    rules,
    retailer,
    pausedAtMs: isPaused === undefined ? watch.pausedAtMs : isPaused ? nowMs : null,
    nextAtMs: rules.isHandedIn === true ? NEVER_DUE_MS : resumes || isLedElsewhere ? nowMs : slotMs,
    state: isLedElsewhere ? NEW_STATE : untold(watch, rules),
  };
}

/** Returns the watch's state after its rules change: a new rule has not notified yet. */
function untold({ rules: before, state }: Watch, { belowCents, newLowDays }: Rules): WatchState {
  const isLineNew = belowCents !== before.belowCents;
  const isLowNew = newLowDays !== before.newLowDays;
  if (!isLineNew && !isLowNew) return state;
  const told = Object.entries(state.told).map(([name, each]): [string, LastNotified] => [
    name,
    {
      ...each,
      belowToldCents: isLineNew ? null : each.belowToldCents,
      lowToldCents: isLowNew ? null : each.lowToldCents,
    },
  ]);
  return { ...state, told: Object.fromEntries(told) };
}

function changedScope(watch: Watch, text: string): WatchScope {
  const scope = scopeOf(text);
  if (watch.gtin !== null || scope === 'any' || scope === 'best') return scope;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail:
      'A watch of pages accepts retailer any or best. Create a watch of the barcode to choose a retailer.',
  });
}

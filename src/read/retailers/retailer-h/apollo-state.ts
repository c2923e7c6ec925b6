// Converts the state of retailer_h's pages, a cache of gateway answers, to the shape of an answer: without arguments in
// names (`pricing({"storeId":"121"})`) and with references replaced by their targets.

import { wordToFind } from '../../page-data/html/find-word.ts';
import { at } from '../../page-data/json/json-path.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { assignedState } from '../../page-data/json/script-state.ts';

/** The state may be cyclic (a product references its variants and vice versa): two limits end the expansion. */
const DEPTH_LIMIT = 14;
const VALUE_LIMIT = 60_000;

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Members) : null;
}

/** `pricing({"storeId":"121"})` -> `pricing`. */
function bareName(name: string): string {
  const bracket = name.indexOf('(');
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** Resolves `{"__ref": "key"}`, or in older caches `{"type": "id", "id": "key"}`. */
function referenceOf(members: Members): string | null {
  const reference = members['__ref'] ?? (members['type'] === 'id' ? members['id'] : null);
  return typeof reference === 'string' ? reference : null;
}

class Expander {
  readonly #state: Members;
  #left = VALUE_LIMIT;

  constructor(state: Members) {
    this.#state = state;
  }

  /** Returns the value with plain names and resolved references, as deep as the limits allow. */
  expand(value: unknown, depth = 0): unknown {
    this.#left -= 1;
    if (this.#left <= 0 || depth > DEPTH_LIMIT) return null;
    if (Array.isArray(value)) {
      return (value as unknown[]).slice(0, 500).map((member) => this.expand(member, depth + 1));
    }
    const members = membersOf(value);
    if (members === null) return value;
    const reference = referenceOf(members);
    if (reference !== null) {
      const target = Object.hasOwn(this.#state, reference) ? this.#state[reference] : null;
      return this.expand(membersOf(target), depth + 1);
    }
    return this.#plain(members, depth);
  }

  /**
   * Returns the members under plain names. When a field occurs with several arguments, the first one with a value is kept.
   */
  #plain(members: Members, depth: number): Members {
    const plain = Object.create(null) as Record<string, unknown>;
    const names = Object.keys(members);
    // Counts the names, because an object with 100,000 of them takes that many steps at each reference to it.
    this.#left -= names.length;
    for (const name of names.slice(0, 500)) {
      const value = members[name];
      const bare = bareName(name);
      const known = plain[bare];
      if (known !== undefined && known !== null && !isPoorer(known, value)) continue;
      plain[bare] = this.expand(value, depth + 1);
    }
    return plain;
  }
}

/** Whether `known` lacks a `value` (an absent price) that `other` has; it is then replaced. */
function isPoorer(known: unknown, other: unknown): boolean {
  const rich = (value: unknown): boolean =>
    at(value, 'value') !== undefined && at(value, 'value') !== null;
  return membersOf(known) !== null && !rich(known) && rich(other);
}

type PageState = {
  /** Returns the product with this item id; undefined when the state only has other products, such as those in tiles. */
  readonly product: (itemId: string) => unknown;
  /** Returns the page's search; undefined if there is none. */
  readonly searchModel: () => unknown;
};

const STATE = wordToFind('__APOLLO_STATE__');

/** Returns the state in the page's script; null for a page without one. */
export function pageStateOf(html: HtmlPage): PageState | null {
  const state = membersOf(assignedState(html, STATE));
  if (state === null) return null;
  return {
    product: (itemId) => {
      const key = `base-catalog-${itemId}`;
      return Object.hasOwn(state, key) ? new Expander(state).expand(state[key]) : undefined;
    },
    searchModel: () => {
      const root = membersOf(state['ROOT_QUERY']) ?? {};
      const name = Object.keys(root).find((each) => bareName(each) === 'searchModel');
      if (name === undefined) return undefined;
      return new Expander(state).expand(root[name]) ?? undefined;
    },
  };
}

// The state of retailer_h's pages (a cache of gateway answers) made plain: arguments taken off the names
// (`pricing({"storeId":"121"})`), references replaced by what they name. Knows no field of a product.

import { at } from '../../page-data/json-path.ts';
import type { HtmlPage } from '../../page-data/html.ts';
import { assignedState } from '../../page-data/script-state.ts';

/** Circles are possible (a product refers to its variants, these to it): both bounds end them. */
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

/** `{"__ref": "key"}`, or as older caches wrote it `{"type": "id", "id": "key"}`. */
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

  /** The value with names made plain and references put in, as deep as the bounds allow. */
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

  /** Of one field asked with several arguments the first that says something stays. */
  #plain(members: Members, depth: number): Members {
    const plain = Object.create(null) as Record<string, unknown>;
    const names = Object.keys(members);
    // An object of 100,000 names that is referred to over and over costs its names each time.
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

/** An object without a `value` (a price that was not given) gives way to one that has it. */
function isPoorer(known: unknown, other: unknown): boolean {
  const rich = (value: unknown): boolean =>
    at(value, 'value') !== undefined && at(value, 'value') !== null;
  return membersOf(known) !== null && !rich(known) && rich(other);
}

export type PageState = {
  /** The product with this item id, else the only one there is; undefined when neither. */
  readonly product: (itemId: string | null) => unknown;
  /** The search that the page shows; undefined when it shows none. */
  readonly searchModel: () => unknown;
};

const PRODUCT_KEY = /^base-catalog-(\d{6,12})$/;

/** The state that the page's script assigns; null for a page without one. */
export function pageStateOf(html: HtmlPage): PageState | null {
  const state = membersOf(assignedState(html, '__APOLLO_STATE__'));
  if (state === null) return null;
  const keys = Object.keys(state).filter((key) => PRODUCT_KEY.test(key));
  return {
    product: (itemId) => {
      const own = itemId === null ? undefined : `base-catalog-${itemId}`;
      const key = own !== undefined && Object.hasOwn(state, own) ? own : soleOf(keys);
      return key === undefined ? undefined : new Expander(state).expand(state[key]);
    },
    searchModel: () => {
      const root = membersOf(state['ROOT_QUERY']) ?? {};
      const name = Object.keys(root).find((each) => bareName(each) === 'searchModel');
      if (name === undefined) return undefined;
      return new Expander(state).expand(root[name]) ?? undefined;
    },
  };
}

function soleOf(keys: readonly string[]): string | undefined {
  return keys.length === 1 ? keys[0] : undefined;
}

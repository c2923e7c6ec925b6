// Converts parsed JSON-LD to nodes with bare schema.org names: names by the context, values out of `@value`, `@list`, `@set`
// and maps, and reverse properties turned around. Nodes that need none of this stay the objects they are.

import { Context, type Term } from './json-ld-context.ts';
import { isNode } from './node.ts';
import type { SchemaNode } from './node.ts';

/** The language that values in several languages are chosen for, and the number of ids made up for nodes without one. */
type Naming = { readonly lang: string | null; ids: number };

type Open = Record<string, unknown>;

/** Properties whose value is an address or a word, also when written as a node with nothing but an `@id`. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'contentUrl', 'sameAs', 'priceType']);
const INDEX = /^\d{1,4}$/;

const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [value];

/** Adds a value: one property may have several names in a document. */
function put(node: Open, name: string, value: unknown): void {
  if (name === '__proto__') return;
  const before = node[name];
  if (before === undefined) node[name] = value;
  else if (!Array.isArray(before)) node[name] = [before, ...asList(value)];
  else for (const one of asList(value)) before.push(one);
}

/**
 * Returns the members of a list that some languages write as an object: `{"0": {...}, "1": {...}}`. Other names among them
 * apply to every member without its own. A node with a type is not a list, and numbers may be quantities (`{"1": 9, "10": 8}`).
 */
function numberedList(node: SchemaNode, names: readonly string[]): readonly unknown[] | null {
  const first = names[0] ?? '';
  if (!INDEX.test(first)) return null;
  const members = names.filter((name) => INDEX.test(name)).map((name) => node[name]);
  if (members.length === names.length) {
    return first === '0' || members.every(isNode) ? members : null;
  }
  if (names.some((name) => /^@?(?:type|id)$/.test(name)) || !members.every(isNode)) return null;
  const shared = names.filter((name) => !INDEX.test(name));
  for (const member of members) {
    const open: Open = member;
    for (const name of shared) {
      if (name !== '__proto__' && !Object.hasOwn(open, name)) open[name] = node[name];
    }
  }
  return members;
}

const baseLanguage = (tag: unknown): string =>
  typeof tag === 'string' ? (tag.toLowerCase().split('-')[0] ?? '') : '';

/** Moves the values in the page's language to the front. */
function inLanguage(values: readonly unknown[], lang: string | null): readonly unknown[] {
  const wanted = baseLanguage(lang);
  const isOwn = (value: unknown): boolean =>
    isNode(value) && wanted !== '' && baseLanguage(value['@language']) === wanted;
  if (!values.some(isOwn)) return values;
  return [...values.filter(isOwn), ...values.filter((value) => !isOwn(value))];
}

/** Returns the entries of a map (`@container`) as a list: the facts in its keys move into the entries. */
function mapEntries(map: SchemaNode, { containers }: Term): readonly unknown[] {
  const keyword = ['@language', '@id', '@type'].find((name) => containers.includes(name));
  return Object.entries(map).flatMap(([key, value]) =>
    asList(value).map((entry) => {
      if (keyword === undefined || key === '@none') return entry;
      if (keyword === '@language') return { '@value': entry, '@language': key };
      return isNode(entry) && !Object.hasOwn(entry, keyword) ? { [keyword]: key, ...entry } : entry;
    }),
  );
}

const MAPS: ReadonlySet<string> = new Set(['@index', '@id', '@type', '@language', '@graph']);

/** Whether the values of a property are arranged in a map here; a single node is written without one. */
function isMap(value: unknown, { containers }: Term): value is SchemaNode {
  if (!isNode(value) || !containers.some((name) => MAPS.has(name))) return false;
  return Object.keys(value).every((name) => !name.startsWith('@') || name === '@none');
}

/** Whether a node has nothing but an `@id`. */
function isBareReference(value: unknown): value is SchemaNode {
  return isNode(value) && typeof value['@id'] === 'string' && Object.keys(value).length === 1;
}

function valueIn(value: unknown, term: Term, context: Context, naming: Naming): unknown {
  const list = isMap(value, term) ? mapEntries(value, term) : value;
  const plain = plainValue(list, context, naming);
  if (ADDRESSES.has(term.name)) return isBareReference(plain) ? plain['@id'] : plain;
  if (!term.isReference) return plain;
  const linked = asList(plain).map((one) =>
    typeof one === 'string' ? { '@id': context.expand(one, false) } : one,
  );
  return Array.isArray(plain) ? linked : linked[0];
}

/** States a reverse property on the nodes it comes from, which are included in this one. */
function turnAround(whole: Open, name: string, subjects: unknown, naming: Naming): void {
  if (typeof whole['@id'] !== 'string') {
    naming.ids += 1;
    whole['@id'] = `_:made-${naming.ids}`;
  }
  for (const subject of asList(subjects)) {
    const node: unknown = typeof subject === 'string' ? { '@id': subject } : subject;
    if (!isNode(node)) continue;
    put(node, name, { '@id': whole['@id'] });
    put(whole, '@included', [node]);
  }
}

/** Whether a bare `type` or `id` is a property, because the node has the keyword too. */
function isShadowed(node: SchemaNode, key: string): boolean {
  return (key === 'type' || key === 'id') && Object.hasOwn(node, `@${key}`);
}

/** A reverse property of a node; stated last, when the `@id` of the node is known. */
type Reverse = { readonly name: string; readonly subjects: unknown };

function copyInto(whole: Open, node: SchemaNode, context: Context, naming: Naming): Reverse[] {
  const reverse: Reverse[] = [];
  for (const [key, value] of Object.entries(node)) {
    const term = context.term(key);
    if (term === null || key === '@context') continue;
    const { name } = term;
    if (isShadowed(node, key)) {
      put(whole, key, value);
    } else if (name === '@nest') {
      for (const one of asList(value)) {
        if (isNode(one)) reverse.push(...copyInto(whole, one, context, naming));
      }
    } else if (name === '@reverse') {
      for (const [property, subjects] of isNode(value) ? Object.entries(value) : []) {
        const plain = plainValue(subjects, context, naming);
        reverse.push({ name: context.nameOf(property), subjects: plain });
      }
    } else if (term.isReverse) {
      reverse.push({ name, subjects: plainValue(value, context, naming) });
    } else if (name === '@type') {
      const types = asList(value).map((type) =>
        typeof type === 'string' ? context.nameOf(type) : type,
      );
      put(whole, name, Array.isArray(value) ? types : types[0]);
    } else if (name === '@id') {
      put(whole, name, typeof value === 'string' ? context.expand(value, false) : value);
    } else {
      put(whole, name, valueIn(value, term, context, naming));
    }
  }
  return reverse;
}

/** Whether types and ids of a node are whole: without a prefix or a term of the context. */
function hasPlainTerms(node: SchemaNode, context: Context): boolean {
  if (!context.hasTerms) return true;
  const id = node['@id'];
  const types = asList(node['@type']);
  const isSame = types.every((type) => typeof type !== 'string' || context.nameOf(type) === type);
  return isSame && (typeof id !== 'string' || context.expand(id, false) === id);
}

function plainNode(node: SchemaNode, outer: Context, naming: Naming): unknown {
  const context = outer.with(Object.hasOwn(node, '@context') ? node['@context'] : undefined);
  const names = Object.keys(node);
  const list = numberedList(node, names);
  if (list !== null) return plainValue(list, context, naming);
  const isPlain = names.every((name) => context.isPlain(name) || isShadowed(node, name));
  if (isPlain && hasPlainTerms(node, context)) {
    const open: Open = node;
    for (const name of names) {
      const value = node[name];
      if (name === '@context' || name === '__proto__') continue;
      if (typeof value !== 'object' || value === null) continue;
      const plain = plainValue(value, context, naming);
      const isAddress = ADDRESSES.has(name) && isBareReference(plain);
      open[name] = isAddress ? plain['@id'] : plain;
    }
    return node;
  }
  const whole = Object.create(null) as Open;
  const reverse = copyInto(whole, node, context, naming);
  for (const { name, subjects } of reverse) turnAround(whole, name, subjects, naming);
  for (const holder of ['@value', '@list', '@set']) {
    if (whole[holder] !== undefined) return whole[holder];
  }
  return whole;
}

function plainValue(value: unknown, context: Context, naming: Naming): unknown {
  if (Array.isArray(value)) {
    return inLanguage(value as unknown[], naming.lang).map((one) =>
      plainValue(one, context, naming),
    );
  }
  return isNode(value) ? plainNode(value, context, naming) : value;
}

/** Returns the value of a JSON-LD block with bare schema.org names. The block must not be nested deeply. */
export function withPlainNames(root: unknown, naming: Naming): unknown {
  return plainValue(root, new Context(), naming);
}

// The names that a JSON-LD document gives to keywords, properties and types: aliases, prefixes and terms of its `@context`.
// Remote contexts are never fetched; schema.org's own is known.

import { isNode } from './node.ts';

/** The meaning of a key of a node. */
export type Term = {
  /** A keyword, the bare name of a schema.org term, or the full name in another vocabulary. */
  readonly name: string;
  /** How several values are arranged in an object: `@index`, `@id`, `@type`, `@language`, `@graph`. */
  readonly containers: readonly string[];
  /** Whether the property points from its value to the node. */
  readonly isReverse: boolean;
  /** Whether a string is the `@id` of a node. */
  readonly isReference: boolean;
};

type Definition = Omit<Term, 'name'> & { readonly iri: string };

const SCHEMA = 'https://schema.org/';
const SCHEMA_NAME = /^https?:\/\/(?:www\.)?schema\.org\/([\w-]{1,100})\/?$/i;
const SCHEMA_CONTEXT = /^\s*(?:https?:)?(?:\/\/)?(?:www\.)?schema\.org\b/i;
/**
 * Names that schema.org's context gives to keywords, and `graph`, which means nothing else. Its `value` is a property.
 */
const SCHEMA_ALIASES: ReadonlySet<string> = new Set(['type', 'id', 'graph']);
/** Keywords that need no conversion. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  '@type',
  '@id',
  '@context',
  '@graph',
  '@included',
]);
/** Maximum number of definitions followed from one name to the next. */
const CHAIN_LIMIT = 6;

function definitionOf(key: string, written: unknown): Definition | null {
  if (typeof written === 'string') {
    return { iri: written, containers: [], isReverse: false, isReference: false };
  }
  if (!isNode(written)) return null;
  const reverse = written['@reverse'];
  const id = written['@id'] === undefined ? key : written['@id'];
  const iri = typeof reverse === 'string' ? reverse : id;
  if (typeof iri !== 'string') return null;
  const type = written['@type'];
  return {
    iri,
    containers: [written['@container']].flat().filter((one) => typeof one === 'string'),
    isReverse: typeof reverse === 'string',
    isReference: type === '@id' || type === '@vocab',
  };
}

/** The definitions in force at a node: its own and, where it has none, those around it. */
export class Context {
  /** Null for a name that is explicitly without meaning. */
  readonly #own = new Map<string, Definition | null>();
  readonly #known = new Map<string, Term | null>();
  #outer: Context | null;
  #isSchema: boolean;

  /** Without `outer`, the context of a document before its first node. */
  constructor(outer: Context | null = null) {
    this.#outer = outer;
    this.#isSchema = outer !== null && outer.#isSchema;
  }

  /** Whether it defines any name itself. */
  get hasTerms(): boolean {
    return this.#own.size > 0 || (this.#outer !== null && this.#outer.hasTerms);
  }

  /** Returns the context inside a node with this `@context`. */
  with(written: unknown): Context {
    if (written === undefined) return this;
    const inner = new Context(this);
    for (const part of Array.isArray(written) ? (written as unknown[]) : [written])
      inner.#add(part);
    // Most documents only name schema.org, as the node around them does.
    const isSame = inner.#own.size === 0 && inner.#isSchema === this.#isSchema;
    return isSame && inner.#outer === this ? this : inner;
  }

  #add(part: unknown): void {
    if (part === null) {
      this.#own.clear();
      this.#outer = null;
      this.#isSchema = false;
    } else if (typeof part === 'string') {
      if (SCHEMA_CONTEXT.test(part)) this.#isSchema = true;
    } else if (isNode(part)) {
      for (const [key, written] of Object.entries(part)) {
        if (key === '@vocab') this.#isSchema = SCHEMA_CONTEXT.test(String(written));
        else if (!key.startsWith('@')) this.#own.set(key, definitionOf(key, written));
      }
    }
  }

  #definition(key: string): Definition | null | undefined {
    const found = this.#own.get(key);
    return found !== undefined || this.#outer === null ? found : this.#outer.#definition(key);
  }

  /** Returns the full form of a name or of a compact one (`schema:price`). */
  expand(written: string, isName = true): string {
    let iri = written;
    for (let step = 0; step < CHAIN_LIMIT && !iri.startsWith('@'); step += 1) {
      const whole = isName ? this.#definition(iri)?.iri : undefined;
      const next = whole === undefined || whole === iri ? this.#withPrefix(iri) : whole;
      if (next === iri) break;
      iri = next;
    }
    return iri;
  }

  #withPrefix(iri: string): string {
    const colon = iri.indexOf(':');
    if (colon < 1 || iri.startsWith('//', colon + 1)) return iri;
    const prefix = iri.slice(0, colon);
    // Pages use this prefix without defining it.
    const start = this.#definition(prefix)?.iri ?? (prefix === 'schema' ? SCHEMA : null);
    return start === null ? iri : start + iri.slice(colon + 1);
  }

  /** Returns the bare name of a schema.org term; the full name of any other. */
  nameOf(written: string): string {
    const iri = this.expand(written);
    return SCHEMA_NAME.exec(iri)?.[1] ?? iri;
  }

  /** Returns the meaning of a key; null when the context removes it. */
  term(key: string): Term | null {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const term = this.#termOf(key);
    this.#known.set(key, term);
    return term;
  }

  #isAlias(key: string): boolean {
    return this.#isSchema && SCHEMA_ALIASES.has(key);
  }

  #termOf(key: string): Term | null {
    const definition = this.#definition(key);
    if (definition === null) return null;
    const isAlias = definition === undefined && this.#isAlias(key);
    const { containers, isReverse, isReference } = definition ?? definitionOf(key, key)!;
    return { name: isAlias ? `@${key}` : this.nameOf(key), containers, isReverse, isReference };
  }

  /** Whether a key has its own name, without an arrangement or a direction of its own. */
  isPlain(key: string): boolean {
    if (key.startsWith('@')) return PLAIN_KEYWORDS.has(key);
    if (!this.hasTerms) return !key.includes(':') && !this.#isAlias(key);
    const term = this.term(key);
    return (
      term?.name === key && term.containers.length === 0 && !term.isReverse && !term.isReference
    );
  }
}

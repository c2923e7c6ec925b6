// The requests of lab/eval/cluster.ts, and the answers of a single process to them: one with everything indexed, and one
// that never indexes.

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { untilQueueIdle } from '../../../tests/support/service.ts';
import { differing, type Body } from './bodies.ts';
import type { Truth } from '../market/facts.ts';
import { withSandbox, withSandboxSearch } from '../../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';

export type Kind = 'lookup' | 'retailer' | 'refresh' | 'history' | 'offers' | 'uncached' | 'gone';

type Question = {
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  readonly path: string;
};

export type Expected = Question & { readonly status: number; readonly body: Body };

export type ReferenceMarket = {
  /** Lookups that store everything that `warm` requests. */
  readonly warming: readonly Question[];
  /** Requests for products that are stored and indexed. */
  readonly warm: readonly Expected[];
  /** Calls for products that were never looked up. */
  readonly cold: readonly Expected[];
  /** Fields that other retailers' listings may change as they are added. */
  readonly indexed: ReadonlySet<string>;
};

export type MarketSize = {
  readonly warmOfEach: number;
  readonly cold: number;
};

/**
 * Other retailers' listings vote on `in_stock` (D35) and may have the best price (D60). Whether they change it depends on
 * the product, and here on timing.
 */
const OF_OTHERS = ['in_stock', 'best_price'];

const WIDE = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };

/** Makes every request once to a single process. */
export async function referenceMarket(
  sandbox: Sandbox,
  size: MarketSize,
): Promise<ReferenceMarket> {
  const truths = await Promise.all(KNOWN_SLUGS.map((slug) => truthsOf(sandbox, slug)));
  const fine = truths.map((all) =>
    all.filter(({ trouble, has_wrong_barcode: isWrong }) => trouble === null && !isWrong),
  );
  const known = fine.flatMap((all) => all.slice(0, size.warmOfEach));
  const barcodes = new Set(known.map((truth) => truth.true_gtin));
  const others = fine.map((all) =>
    all.slice(size.warmOfEach).filter((truth) => !barcodes.has(truth.true_gtin)),
  );
  const unasked = oneOfEachBarcode(interleaved(others)).slice(0, size.cold);
  const gone = truths.flatMap((all) => all.filter(({ trouble }) => trouble === 'gone').slice(0, 3));
  const lookups = known.map((truth) => lookup('lookup', truth.url));
  // Everything once: what an answer reveals (how many offers there are) is included in the next one.
  const warming = [
    ...lookups,
    ...known.flatMap(questionsOf),
    ...gone.map(({ url }) => lookup('gone', url)),
  ];
  // Forced refreshes are limited to 100 a minute, for the single process too.
  const first = warming.filter(({ kind }) => kind !== 'refresh');
  const asked = warming.slice(lookups.length);
  const warm = await answersOf(sandbox, ['api', 'indexer'], { first, recorded: asked });
  const unaskedLookups = unasked.map(({ url }) => lookup('uncached', url));
  const unindexed = await answersOf(sandbox, ['api'], {
    first: [],
    recorded: [...unaskedLookups, ...lookups],
  });
  const unaskedIndexed = await answersOf(sandbox, ['api', 'indexer'], {
    first: unaskedLookups,
    recorded: unaskedLookups,
  });
  const steady = [...unaskedIndexed, ...warm.filter(({ kind }) => kind === 'lookup')];
  const indexed = unindexed.flatMap(({ path, body }) => {
    const later = steady.find((each) => each.path === path);
    return later === undefined ? [] : differing(body, later.body);
  });
  return {
    warming: first,
    warm,
    cold: unindexed.slice(0, unasked.length),
    indexed: new Set([...indexed, ...OF_OTHERS]),
  };
}

async function truthsOf(sandbox: Sandbox, slug: string): Promise<readonly Truth[]> {
  const [base = ''] = Object.values(sandbox.origins);
  const response = await fetch(`${base}/__truth/retailer?retailer=${slug}&offset=0&limit=2000`);
  return (await response.json()) as readonly Truth[];
}

function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}

/** A product that was looked up under one retailer is no longer unknown under the next. */
function oneOfEachBarcode(truths: readonly Truth[]): readonly Truth[] {
  return [
    ...new Map(truths.toReversed().map((truth) => [truth.true_gtin, truth])).values(),
  ].toReversed();
}

const product = (id: string, rest = ''): string => `/v1/products/${encodeURIComponent(id)}${rest}`;

function lookup(kind: Kind, url: string): Question {
  return { kind, method: 'GET', path: product(url) };
}

function questionsOf({ url, retailer, true_gtin: gtin }: Truth): readonly Question[] {
  return [
    lookup('lookup', url),
    { kind: 'lookup', method: 'GET', path: product(gtin) },
    { kind: 'retailer', method: 'GET', path: product(url, `?retailer=${retailer}`) },
    { kind: 'history', method: 'GET', path: product(url, '/history') },
    {
      kind: 'refresh',
      method: 'POST',
      path: product(url, '/refresh?include_offers_reviews=false'),
    },
    { kind: 'offers', method: 'GET', path: product(url, '?include_offers=true') },
  ];
}

type Asking = { readonly first: readonly Question[]; readonly recorded: readonly Question[] };

/** Returns the answers of a separate process with an embedded database of its own. */
async function answersOf(
  sandbox: Sandbox,
  roles: readonly ('api' | 'indexer')[],
  { first, recorded }: Asking,
): Promise<readonly Expected[]> {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const settings = readConfig({}, { dataDir, port: 0 });
  const config = withSandboxSearch(withSandbox(settings, sandbox), sandbox);
  await using app = await openApp({ ...config, roles });
  const { url } = await app.listen();
  const request = { organization: 'reference', note: null, ...WIDE };
  const { text } = await issueKey(app.store.accounts, request, Date.now());
  const answers: Expected[] = [];
  for (const question of [...first, ...recorded]) {
    const { method, path } = question;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${text}` },
    });
    answers.push({ ...question, status: response.status, body: (await response.json()) as Body });
    if (answers.length === first.length && roles.includes('indexer')) {
      await untilQueueIdle(app, { now: Date.now });
    }
  }
  await app.stop(1_000);
  return answers.slice(first.length);
}

// One run over a fresh store: organization B looks up barcodes, organization A looks up pages that print them before,
// between and after; B's answers at each stage.

import { setTimeout as wait } from 'node:timers/promises';

import type { Config } from '../../../src/edge/config.ts';
import type { CatalogProduct } from '../../../sandbox/market/catalog.ts';
import { printedCode } from '../../../sandbox/market/codes.ts';
import {
  comparable,
  differingFields,
  type ComparableAnswer,
  type LookupAnswer,
} from '../order/compare.ts';
import { openDriven, type DrivenService } from '../order/service.ts';
import { PHASES, type CopyingPage, type Phase } from './pages.ts';
import { addressOf } from './shops.ts';

export type BarcodeAnswer = {
  readonly gtin: string;
  /** After which of A's lookups. */
  readonly phase: Phase;
  readonly record: LookupAnswer;
  /** With the confirmed cells. */
  readonly withCells: LookupAnswer;
  /** With all cells. */
  readonly withAll: LookupAnswer;
  readonly history: LookupAnswer;
};

type BarcodeRun = {
  readonly answers: readonly BarcodeAnswer[];
  /** Pages that were answered with their own record, as required for a lookup by page address. */
  readonly pagesRead: number;
};

const BETWEEN_PHASES_MS = 90_000;

/** Without pages: B's answers if nobody publishes such pages. */
export async function barcodeRun(
  config: Config,
  startMs: number,
  products: readonly CatalogProduct[],
  pages: readonly CopyingPage[],
): Promise<BarcodeRun> {
  await using service = await openDriven(config, { startMs, organizations: ['a', 'b'] });
  const answers: BarcodeAnswer[] = [];
  let pagesRead = 0;
  for (const phase of PHASES) {
    for (const page of pages.filter((each) => each.phase === phase)) {
      const path = `/v1/products/${encodeURIComponent(addressOf(page))}`;
      const answer = await service.get(path, 'a');
      if (isOwnRecord(answer, page)) pagesRead += 1;
    }
    for (const product of products) answers.push(await barcodeAnswer(service, product, phase));
    await service.finish();
    service.advance(BETWEEN_PHASES_MS);
    await wait(0);
  }
  return { answers, pagesRead };
}

function isOwnRecord({ status, body }: LookupAnswer, { cents, inStock }: CopyingPage): boolean {
  if (status !== 200) return false;
  const price = (body as { readonly current_price: number | null }).current_price;
  return price === (inStock ? cents / 100 : null);
}

async function barcodeAnswer(
  service: DrivenService,
  { gtin14: gtin }: CatalogProduct,
  phase: Phase,
): Promise<BarcodeAnswer> {
  const path = `/v1/products/${printedCode(gtin)}`;
  return {
    gtin,
    phase,
    record: await service.get(path, 'b'),
    withCells: await service.get(`${path}?include_cross_retailer=true`, 'b'),
    withAll: await service.get(`${path}?include_cross_retailer=true&identifier_match=any`, 'b'),
    history: await service.get(`${path}/history?retailer=all`, 'b'),
  };
}

/** A field of an answer about a barcode that contains data from strangers' pages, or differs without them. */
export type Influence = {
  readonly kind: 'shows' | 'changes';
  readonly field: string;
  readonly gtin: string;
  readonly phase: Phase;
  readonly value: string;
  /** Its value without the strangers. */
  readonly expected: string;
};

const NO_DOMAINS: ReadonlyMap<string, string> = new Map();

/** Compares B's answers with the answers without strangers. */
export function influencesOn(run: BarcodeRun, control: BarcodeRun): readonly Influence[] {
  return run.answers.flatMap((answer, at) => {
    const expected = control.answers[at];
    if (expected === undefined) throw new Error('both runs make the same lookups');
    const compared = [
      [comparable(answer.record, NO_DOMAINS), comparable(expected.record, NO_DOMAINS)],
      [comparable(answer.withCells, NO_DOMAINS), comparable(expected.withCells, NO_DOMAINS)],
      [countedHistory(answer.history), countedHistory(expected.history)],
    ] as const;
    const { gtin, phase } = answer;
    const all = compared.flatMap(([is, should], place) =>
      influencesIn(is, should).map((each) => {
        const field = place === 2 ? `history.${each.field}` : each.field;
        return { ...each, field, gtin, phase };
      }),
    );
    all.push(...wrongCells(answer));
    return all.filter(
      (each, index) => all.findIndex(({ field }) => field === each.field) === index,
    );
  });
}

type Identity = {
  readonly state: string;
  readonly method: string | null;
  readonly page_barcode: string | null;
};

/** D57: in a list of all cells, a stranger's is unconfirmed, with the barcode that its page prints and no method. */
function wrongCells({ gtin, phase, withAll }: BarcodeAnswer): readonly Influence[] {
  if (withAll.status !== 200) return [];
  const { cross_retailer: cells = {} } = withAll.body as {
    readonly cross_retailer?: Readonly<Record<string, { readonly identity: Identity | null }>>;
  };
  const expected = `unconfirmed null ${gtin}`;
  return Object.entries(cells).flatMap(([slug, { identity }]) => {
    const value = `${identity?.state} ${identity?.method} ${identity?.page_barcode}`;
    if (!/stranger/.test(slug) || value === expected) return [];
    const field = 'identity with identifier_match=any';
    return [{ kind: 'shows' as const, field, gtin, phase, value, expected }];
  });
}

function influencesIn(is: ComparableAnswer, should: ComparableAnswer) {
  return differingFields([is, should]).map((name) => {
    const [value, expected] = [is.get(name) ?? '(absent)', should.get(name) ?? '(absent)'];
    const kind = /stranger/i.test(`${name} ${value}`) ? ('shows' as const) : ('changes' as const);
    return { kind, field: name.replaceAll(/\[[^\]]*\]/g, '[]'), value, expected };
  });
}

type HistoryRow = {
  readonly retailer?: string;
  readonly counted?: boolean;
  readonly price?: number | null;
};

/**
 * Returns the figures, and the rows that are marked as counted. Which of those was observed last depends on the calls made, so
 * `current` is reduced to whether a counted row has it.
 */
function countedHistory({ status, body }: LookupAnswer): ComparableAnswer {
  if (status !== 200) return comparable({ status, body }, NO_DOMAINS);
  const { observations = [], stats } = body as {
    readonly observations?: readonly HistoryRow[];
    readonly stats?: Readonly<Record<string, unknown>> | null;
  };
  const rows = observations.filter(({ counted }) => counted === true);
  const retailers = [...new Set(rows.map(({ retailer }) => retailer ?? ''))].toSorted();
  const { current = null, ...figures } = stats ?? {};
  const isCounted = current === null || rows.some(({ price }) => price === current);
  const shown = { stats: figures, isCounted, counted: retailers.join(', ') };
  return comparable({ status, body: shown }, NO_DOMAINS);
}

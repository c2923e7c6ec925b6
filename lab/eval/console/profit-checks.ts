// The calculator, compared with the functions that lab/eval/fees.ts checks against test vectors, and with sums in whole
// cents.

import {
  cardInForce,
  FULFILLMENT_CARDS,
  REFERRAL_CARDS,
} from '../../../src/rules/fees/rate-cards.ts';
import { fulfillmentFee } from '../../../src/rules/fees/fulfillment-fee.ts';
import { referralFee } from '../../../src/rules/fees/referral-fee.ts';
import { cardOf, signedIn, unless, type Check } from './acts.ts';

type Breakdown = {
  readonly category: { readonly key: string } | null;
  readonly fee_base_usd: number | null;
};

type Record_ = {
  readonly current_price: number;
  readonly pack_count: number | null;
  readonly cross_retailer: Readonly<Record<string, { readonly pack_count: number | null }>>;
  readonly weight_lbs: number | null;
  readonly hazmat: boolean | null;
  readonly dimensions: Readonly<Record<'height_in' | 'width_in' | 'length_in', number>> | null;
  readonly referral_fee_usd: number | null;
  readonly fulfillment_fee_usd: number | null;
  readonly fee_breakdown: Breakdown | null;
};

const SPENT = { cost: 7.35, shipping: 1.1, prep: 0.4, roi: 25 };
const cents = (value: number | null | undefined) => Math.round((value ?? 0) * 100);
const usd = (value: number) => `${value < 0 ? '−' : ''}$${(Math.abs(value) / 100).toFixed(2)}`;
const percentOf = (part: number, whole: number) =>
  `${((part / whole) * 100).toFixed(2).replace('-', '−')} %`;

/** Returns the fees in cents at a price, by the cards in force today; null: unknown. */
function feesAt(record: Record_, priceCents: number): number | null {
  const today = new Date().toISOString().slice(0, 10);
  const referralCard = cardInForce(REFERRAL_CARDS, 'retailer_w', today);
  const fulfillmentCard = cardInForce(FULFILLMENT_CARDS, 'retailer_w', today);
  const { dimensions, fee_breakdown: breakdown } = record;
  if (referralCard === null || fulfillmentCard === null || breakdown === null) return null;
  const referral = referralFee(referralCard, breakdown.category?.key ?? null, priceCents);
  const fulfillment = fulfillmentFee(fulfillmentCard, {
    sidesIn: [
      dimensions?.length_in ?? null,
      dimensions?.width_in ?? null,
      dimensions?.height_in ?? null,
    ],
    weightLbs: record.weight_lbs,
    priceCents,
    isApparel: false,
    isHazmat: record.hazmat ?? false,
  });
  if (referral.kind !== 'fee' || fulfillment.kind !== 'fee') return null;
  return referral.cents + fulfillment.cents;
}

export const PROFIT: Check = {
  name: 'the calculator has fees, profit, margin, ROI, break-even and highest cost to the cent',
  run: async (parts) => {
    const { known, service } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, known);
    for (const [name, value] of Object.entries(SPENT)) {
      await page.fill(`#profit-${name}`, String(value));
    }
    await page.click('text=Calculate (3 tokens)');
    const row = page.locator('.profit-result tr[data-retailer="retailer_w"]');
    await row.waitFor();
    const shown = await row.locator('td').allInnerTexts();
    await parts.shot(page, 'profit');
    const query = '?include_fee_breakdown=true&include_cross_retailer=true&identifier_match=any';
    const record = (await service.lookup(known, query)).body as unknown as Record_;
    const price = cents(record.current_price);
    const fees = feesAt(record, price);
    const found: string[] = [];
    if (fees === null) found.push('the fees of the known product are not known');
    else {
      // A cost is per unit of what the barcode identifies (D77).
      const named = record.pack_count ?? 1;
      const pieces = record.cross_retailer['retailer_w']?.pack_count ?? named;
      const outlayOf = (cost: number) =>
        Math.round(((cost + cents(SPENT.shipping) + cents(SPENT.prep)) * pieces) / named);
      const outlay = outlayOf(cents(SPENT.cost));
      const profit = price - fees - outlay;
      const expected = [
        usd(price),
        usd(fees),
        usd(profit),
        percentOf(profit, price),
        percentOf(profit, outlay),
      ];
      found.push(
        ...expected.flatMap((value, at) =>
          unless(shown[at] === value, `column ${at + 2} shows ${shown[at]}, not ${value}`),
        ),
      );
      // The lowest price without a loss; one cent less loses.
      const even = cents(Number((shown[5] ?? '').replace(/[$,]/g, '')));
      const left = (at: number) => at - (feesAt(record, at) ?? 0) - outlay;
      found.push(
        ...unless(
          left(even) >= 0 && left(even - 1) < 0,
          `at the break-even ${usd(even)} ${usd(left(even))} is left, a cent below ${usd(left(even - 1))}`,
        ),
      );
      const highest = cents(Number((shown[6] ?? '').replace(/[$,]/g, '')));
      const roiAt = (cost: number) => {
        const paid = outlayOf(cost);
        return ((price - fees - paid) / paid) * 100;
      };
      found.push(
        ...unless(
          roiAt(highest) >= SPENT.roi && roiAt(highest + 1) < SPENT.roi,
          `at the highest cost ${usd(highest)} the return is ${roiAt(highest).toFixed(2)} %`,
        ),
      );
    }
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

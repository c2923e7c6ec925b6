// Determines the product's price from the visible page: the amount with the most evidence. It only counts if no other
// unexplained amount has nearly as much. docs/how/reading.md explains the rules.

import { amountOf, isSameAmount, type Money } from '../../../../base/listing/money/minor-units.ts';
import { isForSeveral } from './charge-words.ts';
import {
  isBeside,
  isHeading,
  isHiddenBefore,
  isNetFirst,
  isNetOf,
  isOfOtherGoods,
  isPart,
  isSaidAgain,
  isSum,
  mayBeOfOtherGoods,
  sameCurrency,
  TAXED_LATER,
} from './related-amounts.ts';
import { isCalledBetween, isStatedReduction, isStruckForSome } from './stated-reduction.ts';
import type { VisibleAmount } from './visible-amounts.ts';
import type { VisiblePart } from '../lines/visible-lines.ts';
import { saysOutOfStock } from '../stock-lines.ts';
import { MARK } from '../lines/visible-marks.ts';

export type VisibleOffer = {
  /** The price; null when the page shows none, or several without a clear choice. */
  readonly price: Money | null;
  readonly listPrice: Money | null;
  /** Whether the page shows several prices without a clear choice. */
  readonly isUnsure: boolean;
  /** Whether that is because the only price is marked as without tax. */
  readonly isNet: boolean;
};

/** Minimum score of a price. */
const LEAST = 6.5;
/** How far every other unexplained amount must score below the price, by its distance after the price. */
const LEAD = 1.75;
const LEAD_AFTER: readonly (readonly [number, number])[] = [
  [280, LEAD],
  [650, 0.75],
  [Number.POSITIVE_INFINITY, 0.2],
];
/** This many amounts of equal weight are the prices of a list. */
const LIST = 4;
/** An amount after the price and below this share of it is a fee or a bonus. */
const SMALL = 0.2;
/** A named amount after an unnamed price is a fee up to this share of it: a service, a part, delivery. */
const NAMED = 0.5;
/** The lowest price as a share of the former price. No shop discounts more. */
const DEEPEST = 0.05;

/** Whether `former` is the former price of `price`. */
function isFormerOf(part: VisiblePart, former: VisibleAmount, price: VisibleAmount): boolean {
  const { money } = former;
  if (money.cents <= price.money.cents || !sameCurrency(money, price.money)) return false;
  if (price.money.cents < money.cents * DEEPEST || !isBeside(former, price)) return false;
  if ((former.marks & (MARK.aside | MARK.hidden | MARK.link)) !== 0) return false;
  if (isNetOf(price, former)) return false;
  if (price.isForSeveral || price.isForHolders) return false;
  if (former.isForSeveral && !former.isFormer) return false;
  // "4-pack: $38.96" in an element named after comparing is not a former price of one, unless it is struck through.
  if (isForSeveral(former.label, '') && (former.marks & MARK.struck) === 0) return false;
  if (former.isFormer && !price.isFormer) return true;
  if (former.score <= 0) return false;
  const isCalled = former.isRegular && !price.isRegular;
  const isOther = price.isNamedOtherwise || isCalledBetween(part, price, former);
  return isCalled || (!isOther && isStatedReduction(part, price, former));
}

/** Returns the amount with the most evidence for each sum. */
function strongest(amounts: readonly VisibleAmount[]): readonly VisibleAmount[] {
  const bySum = new Map<string, VisibleAmount>();
  const seen = new Map<string, number>();
  for (const amount of amounts) {
    if (amount.score <= 0) continue;
    const key = `${amount.money.cents} ${amount.money.currency ?? ''}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const before = bySum.get(key);
    // Struck through in one place but not in another: a sticky bar shows the price alone.
    if (before === undefined || amount.score > before.score) bySum.set(key, amount);
  }
  return [...bySum]
    .map(([key, amount]) => ({
      ...amount,
      score: amount.score + Math.min(1, ((seen.get(key) ?? 1) - 1) * 0.5),
    }))
    .toSorted((a, b) => b.score - a.score);
}

/** Whether a former price is closer to another, lower price: then it belongs to other goods, or to several pieces. */
function isOfAnother(
  former: VisibleAmount,
  amounts: readonly VisibleAmount[],
  price: VisibleAmount,
): boolean {
  const gap = Math.abs(former.at - price.at);
  return amounts.some(
    (other) =>
      !isSaving(other, amounts) &&
      Math.abs(former.at - other.at) < gap &&
      other.score > 0 &&
      !other.isFormer &&
      !other.isRegular &&
      !isNetOf(other, price) &&
      !isOnTop(other) &&
      !other.isForSeveral &&
      !other.isForHolders &&
      other.money.cents >= price.money.cents * (isAside(other, price) ? NAMED : SMALL) &&
      other.money.cents !== price.money.cents &&
      other.money.cents < former.money.cents &&
      sameCurrency(other.money, former.money),
  );
}

/** Whether an amount has its own name next to an unnamed price. */
const isAside = (other: VisibleAmount, price: VisibleAmount): boolean =>
  !isNamed(price) && other.isNamedOtherwise && sameCurrency(price.money, other.money);

/** Returns the list price next to a known price. */
export function formerBeside(
  part: VisiblePart,
  amounts: readonly VisibleAmount[],
  price: VisibleAmount,
): Money | null {
  const former = amounts.filter(
    (amount) =>
      (amount.marks & MARK.upper) === 0 &&
      isFormerOf(part, amount, price) &&
      !isOfAnother(amount, amounts, price),
  );
  const sums = new Set(former.map(({ money }) => money.cents));
  // Struck through outranks regular, and both outrank the lowest price of thirty days; several at one rank are
  // inconclusive.
  if (sums.size > 1) {
    const priced = former.filter(({ score }) => score > 0);
    const struck = priced.filter((amount) => amount.isFormer);
    // "Lowest price: 2 499" next to a struck-through price.
    const marked = struck.filter(({ marks }) => (marks & MARK.former) !== 0);
    const [first, ...rest] = marked.length === 0 ? struck : marked;
    const isOne = rest.every(({ money }) => money.cents === first?.money.cents);
    return isOne ? (first?.money ?? null) : null;
  }
  return former[0]?.money ?? null;
}

const isNamed = ({ isNamedOtherwise, isNotedOtherwise }: VisibleAmount): boolean =>
  isNamedOtherwise || isNotedOtherwise;

/** Whether an amount has its own name after a checkbox. */
const isOnTop = (amount: VisibleAmount): boolean =>
  (amount.marks & MARK.added) !== 0 && isNamed(amount);

/** Whether an amount with another name is the reduction: added to the price next to it, it gives the former one. */
function isSaving(saving: VisibleAmount, amounts: readonly VisibleAmount[]): boolean {
  if (!isNamed(saving) || saving.isFormer) return false;
  return amounts.some(
    (price) =>
      price.score > 0 &&
      !price.isFormer &&
      !isNamed(price) &&
      isBeside(price, saving) &&
      sameCurrency(price.money, saving.money) &&
      amounts.some(
        (former) =>
          former.isFormer &&
          isSameAmount(former.money, sumOf(price.money, saving.money)) &&
          isBeside(former, price),
      ),
  );
}

const sumOf = (a: Money, b: Money): Money => ({ ...a, cents: a.cents + b.cents });

/** Returns the minimum lead over an amount `gap` characters after the price. */
function leadOver(gap: number): number {
  if (gap < 0) return LEAD;
  return LEAD_AFTER.find(([most]) => gap <= most)?.[1] ?? LEAD;
}

function isRival(other: VisibleAmount, best: VisibleAmount): boolean {
  if (other === best || isSameAmount(other.money, best.money)) return false;
  const gap = other.at - best.at;
  const least = amountOf(best.money) * (isAside(other, best) ? NAMED : SMALL);
  if (gap > 0 && amountOf(other.money) < least) return false;
  return other.score > best.score - leadOver(gap);
}

/**
 * Whether a lower amount next to the price is stated as reduced from it, under a name that may mean a sale or apply to
 * subscribers, members or code holders.
 */
function isReducedOtherwise(
  part: VisiblePart,
  lower: VisibleAmount,
  price: VisibleAmount,
): boolean {
  return (
    (lower.isNamedOtherwise || isCalledBetween(part, lower, price)) &&
    !lower.isForSeveral &&
    lower.money.cents < price.money.cents &&
    sameCurrency(lower.money, price.money) &&
    isBeside(lower, price) &&
    isStatedReduction(part, lower, price)
  );
}

/** Words for a price shown elsewhere: in the cart, or after a script has filled it in. */
const PRICE_ELSEWHERE =
  /\b(?:sale|special|your|promo(?:tional)?) price\b|\bprice in (?:the )?(?:cart|bag|basket|checkout)\b|\d ?% off\b/i;
/** Maximum distance of such words from the price. */
const PRICE_NEAR = 900;

/**
 * Returns the amounts labelled as the regular price and not struck through: if the page mentions no other, everyone pays them.
 */
function regularOf({ lines }: VisiblePart, ranked: readonly VisibleAmount[]): VisibleAmount[] {
  const isElsewhere = lines.some(
    ({ at, marks, text }) =>
      Math.abs(at) <= PRICE_NEAR && (marks & MARK.aside) === 0 && PRICE_ELSEWHERE.test(text),
  );
  if (isElsewhere) return [];
  return ranked
    .filter(({ marks, isRegularLabelled }) => isRegularLabelled && (marks & MARK.former) === 0)
    .map((amount) => ({ ...amount, isFormer: false }));
}

/** Returns the amounts that may be the current price, best first. */
function candidatesOf(
  part: VisiblePart,
  amounts: readonly VisibleAmount[],
): readonly VisibleAmount[] {
  const ranked = strongest(
    amounts.filter(
      (amount) =>
        !isPart(amount, amounts) && !isSum(amount, amounts) && !isSaidAgain(amount, amounts),
    ),
  );
  const isStruck = (amount: VisibleAmount): boolean => amount.isFormer;
  let current = ranked.filter((amount) => !isStruck(amount) && !isSaving(amount, ranked));
  // A price block may be named after the former price: then only the element itself counts.
  if ((current[0]?.score ?? 0) < LEAST) {
    current = ranked
      .filter(({ marks, isFormerLabelled }) => (marks & MARK.ownFormer) === 0 && !isFormerLabelled)
      .map((amount) => ({ ...amount, isFormer: false }));
  }
  if (current.length === 0) current = regularOf(part, ranked);
  // The unit price when buying several does not count if a single piece has a price.
  const ofOne = current.find(({ isForSeveral }) => !isForSeveral);
  if (ofOne !== undefined && ofOne.score >= LEAST) {
    current = current.filter(({ isForSeveral, score }) => !isForSeveral || score > ofOne.score);
  }
  const ofAll = current.find((amount) => !amount.isForHolders);
  if (ofAll !== undefined && ofAll.score >= LEAST) {
    current = current.filter(
      ({ isForHolders, money }) => !isForHolders || amountOf(money) >= amountOf(ofAll.money),
    );
  }
  // Amounts after a checkbox are added only if it is ticked.
  const ofGoods = current.find((amount) => !isOnTop(amount));
  if (ofGoods !== undefined && ofGoods.score >= LEAST) {
    current = current.filter((amount) => !isOnTop(amount) || amount.score > ofGoods.score);
  }
  const ofPack = current.find((amount) => !amount.isPerPiece);
  if (ofPack !== undefined && ofPack.score >= LEAST) {
    current = current.filter(
      ({ isPerPiece, money }) => !isPerPiece || amountOf(money) * 2 > amountOf(ofPack.money) * 1.01,
    );
  }
  // The higher of two related amounts was the former price.
  return current.filter(
    (amount) =>
      !current.some(
        (other) => other !== amount && other.score >= LEAST && isFormerOf(part, amount, other),
      ),
  );
}

/**
 * Returns the amounts without those of other goods after one that may be the price: theirs may be emphasized while the price is
 * plain text.
 */
function ownOf(part: VisiblePart, amounts: readonly VisibleAmount[]): readonly VisibleAmount[] {
  const isPrice = ({ score }: VisibleAmount): boolean => score >= LEAST;
  return amounts.filter(
    (other) => !amounts.some((price) => isPrice(price) && isOfOtherGoods(part, other, price)),
  );
}

/**
 * Whether an amount is next to a struck-through one with words before both, and that one is shown as the price on another line:
 * the lower amount is for subscribers, members or used items.
 */
function isStruckElsewhere(best: VisibleAmount, amounts: readonly VisibleAmount[]): boolean {
  const [first, ...rest] = amounts.filter((amount) => isStruckForSome(amount, best));
  if (first === undefined || rest.length > 0) return false;
  return amounts.some(
    ({ money, line, isFormer, isRegular, score }) =>
      isSameAmount(money, first.money) &&
      line !== first.line &&
      !isFormer &&
      !isRegular &&
      score >= LEAST,
  );
}

/** Returns the price displayed in the part, and the former price. */
export function visibleOffer(part: VisiblePart, amounts: readonly VisibleAmount[]): VisibleOffer {
  const unsure: VisibleOffer = { price: null, listPrice: null, isUnsure: true, isNet: false };
  const left = candidatesOf(part, amounts);
  const taxed = ownOf(
    part,
    left.filter((amount) => !left.some((other) => isNetOf(amount, other))),
  );
  const best = taxed[0];
  if (best === undefined || best.score < LEAST) return { ...unsure, isUnsure: false };
  if (amounts.some((amount) => isHiddenBefore(amount, best, LEAST))) return unsure;
  // An amount after a checkbox has more evidence than the price next to it.
  if (isOnTop(best) && taxed.some((one) => !isOnTop(one) && one.score >= LEAST)) return unsure;
  const net = left.find((amount) => isNetOf(amount, best));
  if (net !== undefined && isNetFirst(net, best, LEAD)) return unsure;
  if (best.isCalledNet && !TAXED_LATER.has(best.money.currency)) return { ...unsure, isNet: true };
  const isOther = taxed.some(
    (price) =>
      price.score >= LEAST &&
      !isSameAmount(price.money, best.money) &&
      mayBeOfOtherGoods(part, best, price),
  );
  if (isOther) return unsure;
  const others = taxed.filter((other) => !isOfOtherGoods(part, other, best));
  if (others.some((other) => isRival(other, best))) return unsure;
  if (others.some((other) => isReducedOtherwise(part, other, best))) return unsure;
  if (isStruckElsewhere(best, amounts)) return unsure;
  const peers = others.filter(
    (other) => other.score > best.score - LEAD && other.marks === best.marks,
  );
  if (peers.length >= LIST) return { ...unsure, isUnsure: false };
  const listPrice = formerBeside(part, amounts, best);
  return { ...unsure, price: best.money, listPrice, isUnsure: false };
}

/**
 * Whether a price belongs to other goods offered instead of the page's product: a line before it says that the product cannot
 * be bought, a heading is between the two, and a button after it can be pressed.
 */
export function isOfferedInstead(
  { lines, buttons }: VisiblePart,
  amounts: readonly VisibleAmount[],
  offered: Money,
): boolean {
  const price = amounts.find(({ money, score }) => score > 0 && isSameAmount(money, offered));
  if (price === undefined) return false;
  // Few pages have such a heading, and checking a line's stock words is more expensive.
  const before = lines.slice(0, price.line);
  const heading = before.findLastIndex((line) => line.at > 0 && isHeading(line));
  if (heading < 0) return false;
  const isOpen = buttons.some(({ at, isDisabled }) => !isDisabled && at > price.at);
  return isOpen && before.slice(0, heading).some(saysOutOfStock);
}

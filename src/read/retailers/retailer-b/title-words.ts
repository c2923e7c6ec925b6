// Reads the condition in titles of retailer_b: "<brand> - Geek Squad Certified Refurbished <name>".

import type { Condition } from '../../../base/listing/offer.ts';
import { settledCondition, titleCondition } from '../../titles/title-condition.ts';

/** The brand and the retailer's own workshop, which may precede the condition. */
const FRONT = /^(?:[^-]{1,60}\s-\s+)?(?:geek squad\s+)?/i;

/** Returns the condition stated in a title; null if none. */
export function conditionInTitle(title: string | null): Condition | null {
  if (title === null) return null;
  return titleCondition(title.replace(FRONT, '')) ?? titleCondition(title);
}

/** Returns the stated condition; the title's when none is stated or it is "new". */
export function conditionWith(stated: Condition | null, title: string | null): Condition | null {
  return stated === null || stated === 'new'
    ? (conditionInTitle(title) ?? settledCondition(stated, title))
    : stated;
}

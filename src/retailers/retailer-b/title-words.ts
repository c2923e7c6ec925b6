// What retailer_b writes into its titles: "<brand> - Geek Squad Certified Refurbished <name>".

import type { Condition } from '../../listing/listing.ts';
import { settledCondition, titleCondition } from '../../titles/title-condition.ts';

/** The maker in front, and the retailer's own workshop, stand before the word for the condition. */
const FRONT = /^(?:[^-]{1,60}\s-\s+)?(?:geek squad\s+)?/i;

/** The condition that a title states; null: none. */
export function conditionInTitle(title: string | null): Condition | null {
  if (title === null) return null;
  return titleCondition(title.replace(FRONT, '')) ?? titleCondition(title);
}

/** The title's condition where the field is silent or says new, else the field's. */
export function conditionWith(stated: Condition | null, title: string | null): Condition | null {
  return stated === null || stated === 'new'
    ? (conditionInTitle(title) ?? settledCondition(stated, title))
    : stated;
}

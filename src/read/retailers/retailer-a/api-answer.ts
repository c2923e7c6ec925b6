// Converts refusals by retailer_a's official APIs to verdicts with the reason given by the API. Credentials never reach a
// verdict.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { readStatus } from '../page-status.ts';

type Refusal = Exclude<PageVerdict<never>, { readonly kind: 'read' } | { readonly kind: 'follow' }>;

/** Paths at which the two APIs and the token service state the reason for a refusal. */
const REASONS = ['errors.0.code', 'reason', 'type', 'code', 'error', 'message', '__type'];

function reasonIn(root: unknown): string {
  for (const path of REASONS) {
    const reason = lineAt(root, path, 120);
    if (reason !== null) return `: ${reason}`;
  }
  return '';
}

/** Returns the verdict for the status; null when the body has the answer. 429 is retried after the stated time. */
export function refusalOf(page: Page, root: unknown): Refusal | null {
  const { status } = page;
  if (status === 200) {
    return typeof root === 'object' && root !== null && !Array.isArray(root)
      ? null
      : { kind: 'unreadable', why: 'the response is not a JSON object' };
  }
  const why = `the API answered ${status}${reasonIn(root)}`;
  if (status === 404) return { kind: 'not_found', why };
  const early = readStatus(page);
  const seconds =
    early?.kind === 'blocked' || early?.kind === 'retry' ? early.retryAfterSeconds : undefined;
  return seconds === undefined
    ? { kind: 'retry', why }
    : { kind: 'retry', why, retryAfterSeconds: seconds };
}

// A call that may be answered before the framework, and the two ways in which it ends.

import type { Scope } from '../../base/scopes.ts';
import type { Work } from '../admission/admission.ts';
import type { Exchange } from '../door/connection-book.ts';
import type { Refused } from '../context.ts';

/** The two ways in which the call ends: answered here, or left to the framework with what was found out about it. */
export type ShortEnds = {
  readonly work: Work;
  readonly answered: () => void;
  readonly otherwise: (refused: Refused | null) => void;
};

export type ShortCall = ShortEnds & { readonly exchange: Exchange };

/** The scope that a key needs for these calls. */
export const READS_PRODUCTS: Scope = 'products:read';

// Presents the signals of shops about the use of their pages (D83). The schema is in signals-body.ts.

import type { z } from 'zod';

import type { Signals } from '../../base/listing/signals.ts';
import type { SignalsBody } from './signals-body.ts';

/** Returns the field for an object that contains facts of pages; no field if there is no signal. */
export function presentSignals(signals: Signals | undefined): {
  readonly signals?: z.infer<typeof SignalsBody>;
} {
  if (signals === undefined) return {};
  const { search = null, aiInput = null, aiTrain = null, license = null } = signals;
  return { signals: { search, ai_input: aiInput, ai_train: aiTrain, license } };
}

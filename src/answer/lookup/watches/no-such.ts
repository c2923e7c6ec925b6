// The fault for an id that the organization does not have.

import { FaultError } from '../../../base/fault.ts';
import { NEXT_STEPS } from '../../../base/next-steps.ts';

/** Returns a 404. `route` is the call that lists the existing ids. */
export function noSuch(what: string, id: string, route: string): FaultError {
  return new FaultError({
    code: 'not_found',
    detail: `There is no ${what} ${id.slice(0, 64)} in this organization. See ${route}.`,
  });
}

export function noSuchWatch(id: string): FaultError {
  return noSuch('watch', id, NEXT_STEPS.watches.route);
}

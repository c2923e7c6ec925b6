// What an organization does not have.

import { FaultError } from '../../core/fault.ts';

/** A 404; `hint`: how to find those that there are. */
export function noSuch(what: string, id: string, hint: string): FaultError {
  return new FaultError({
    code: 'not_found',
    detail: `There is no ${what} ${id.slice(0, 64)} in this organization. ${hint}`,
  });
}

export function noSuchWatch(id: string): FaultError {
  return noSuch('watch', id, 'GET /v1/watches lists them.');
}

// What a request is called in its answer, in logs, and where it is counted.

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;

const COUNTED_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** The method as it is counted: callers choose methods too, so that others share one name. */
export function countedMethod(method: string): string {
  return COUNTED_METHODS.includes(method) ? method : 'other';
}

type Matched = readonly { readonly method: string; readonly path: string }[];

/** The pattern of the route that answers the request, among those that match it. */
export function patternOf(matched: Matched): string {
  const route = matched.findLast(({ method }) => method !== 'ALL');
  return route === undefined ? 'unknown' : route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The caller's own id if it is valid, else the one that was made (D55). */
export function requestIdOf(given: string | undefined, made: string): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : made;
}

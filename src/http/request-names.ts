// What a request is called: in its answer, in logs, and where it is counted.

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;

const COUNTED_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** Methods are chosen by callers too. */
export function countedMethod(method: string): string {
  return COUNTED_METHODS.includes(method) ? method : 'other';
}

type Matched = readonly { readonly method: string; readonly path: string }[];

/** Of the routes that match a request, the one that answers it. */
export function patternOf(matched: Matched): string {
  const route = matched.findLast(({ method }) => method !== 'ALL');
  return route === undefined ? 'unknown' : route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The caller's own id where it is one, else the one that was made (D55). */
export function requestIdOf(given: string | undefined, made: string): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : made;
}

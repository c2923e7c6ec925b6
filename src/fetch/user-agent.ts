// How this service names itself to shops: honestly, with a way to reach the operator (D54).

/** The product token that robots.txt groups may name. */
export const PRODUCT_TOKEN = 'openshelf';

/** `openshelf/1.2.3 (+https://operator.example/contact)`; characters that a header cannot hold are dropped. */
export function userAgent(version: string, contact: string | null): string {
  const product = `${PRODUCT_TOKEN}/${version.replace(/[^\w.-]/g, '')}`;
  const address = (contact ?? '').replace(/[^\u0021-\u007e]|[()\\]/g, '');
  return address === '' ? product : `${product} (+${address})`;
}

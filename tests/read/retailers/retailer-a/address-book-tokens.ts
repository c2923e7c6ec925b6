// The token services of retailer_a's partner credentials, as published.

/** By version of the credentials: the token service, the kind of body and the scope, as published. */
export const TOKEN_SERVICES: readonly (readonly [string, string, string, string])[] = [
  ['2.1', 'creatorsapi.auth.us-east-1.amazoncognito.com/oauth2/token', 'form', '/'],
  ['2.2', 'creatorsapi.auth.eu-south-2.amazoncognito.com/oauth2/token', 'form', '/'],
  ['2.3', 'creatorsapi.auth.us-west-2.amazoncognito.com/oauth2/token', 'form', '/'],
  ['3.1', 'api.amazon.com/auth/o2/token', 'json', '::'],
  ['3.2', 'api.amazon.co.uk/auth/o2/token', 'json', '::'],
  ['3.3', 'api.amazon.co.jp/auth/o2/token', 'json', '::'],
];

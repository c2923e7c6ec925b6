// OPENSHELF_SMTP_URL and OPENSHELF_SMTP_FROM: the operator's mail server and the sender of notices. Pure. No error message
// repeats the address, because it contains a password.

export type MailServer = {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins with the first byte (`smtps:`). */
  readonly isTls: boolean;
  /** Whether upgrading a connection of `smtp:` with STARTTLS is required, optional or off. */
  readonly startTls: 'required' | 'offered' | 'off';
  readonly login: { readonly user: string; readonly password: string } | null;
};

type ParsedMailServer = { readonly server: MailServer } | { readonly problem: string };

const FORM =
  'is not an address such as smtp://user:password@mail.example:587 or smtps://user:password@mail.example:465';
const START_TLS = ['required', 'offered', 'off'] as const;

/**
 * Parses the server's address. A password is only sent over TLS unless the address states otherwise: `?starttls=offered` or
 * `off`.
 */
export function parseMailServer(text: string): ParsedMailServer {
  const url = /^smtps?:\/\//i.test(text) ? URL.parse(text) : null;
  const host = url?.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase() ?? '';
  if (url === null || !/^[a-z0-9._:-]+$/.test(host) || !['', '/'].includes(url.pathname)) {
    return { problem: FORM };
  }
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === null || password === null) {
    return { problem: 'has a percent sign that encodes nothing: write it as %25' };
  }
  const login = user === '' ? null : { user, password };
  const isTls = url.protocol === 'smtps:';
  const { starttls: asked, ...others } = Object.fromEntries(url.searchParams);
  const startTls = START_TLS.find((each) => each === asked);
  const isMisasked = asked !== undefined && (startTls === undefined || isTls);
  if (isMisasked || Object.keys(others).length > 0) {
    return {
      problem: 'may end in ?starttls=required, offered or off for smtp://, and in nothing else',
    };
  }
  const port = Number(url.port) || (isTls ? 465 : 587);
  const usual = login === null ? 'offered' : 'required';
  return { server: { host, port, isTls, startTls: startTls ?? usual, login } };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const SENDER =
  /^(?:[^<>@"\p{Cc}]{0,100}<)?[^\s<>@",;:\p{Cc}]{1,64}@([a-z0-9-]+(?:\.[a-z0-9-]+)*)>?$/iu;

/** Returns the domain of `name@mail.example` or `Shelf watch <name@mail.example>`; null for any other text. */
export function senderDomain(text: string): string | null {
  const domain = SENDER.exec(text)?.[1] ?? null;
  return text.includes('<') === text.endsWith('>') ? domain : null;
}

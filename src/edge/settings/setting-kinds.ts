// The kinds of settings: which text each accepts, and its value. Pure.

import { isCurrencyCode } from '../../base/listing/money/currencies.ts';
import { denialProblem, isHostName } from '../../egress/guard/denials.ts';
import {
  allowedReceiverProblem,
  parseAllowedReceivers,
  type AllowedReceivers,
} from '../../egress/guard/receiver-guard.ts';
import { parseOrigins, type OriginMap } from '../../egress/origins.ts';
import type { SignatureForm } from '../../egress/signing/request-signer.ts';
import { parseMailServer, senderDomain, type MailServer } from '../../egress/smtp-url.ts';
import { readDatabaseUrl } from '../../data/postgres/database-url.ts';

/** The value, or complete sentences that state what is wrong and what the setting accepts instead. */
type ParsedSetting<T> = { readonly value: T } | { readonly problems: readonly string[] };

export type SettingKind<T> = {
  /** `name` is the setting's name in the sentences. */
  readonly parse: (text: string, name: string) => ParsedSetting<T>;
  /** `parse` gets an empty text too. Without this, an empty text means that the setting is not set. */
  readonly parsesEmpty?: true;
};

/** `api` answers calls over HTTP and queues jobs; `indexer` processes them and maintains the store. */
export const ROLES = ['api', 'indexer'] as const;
type Role = (typeof ROLES)[number];

/** A host and a port to listen on. */
type SocketAddress = { readonly host: string; readonly port: number };

function refused<T>(problem: string): ParsedSetting<T> {
  return { problems: [problem] };
}

/** Any text; empty if it is not set. */
export const anyText: SettingKind<string> = { parse: (text) => ({ value: text }) };

export const hostName: SettingKind<string> = {
  parse: (text) => ({ value: text }),
  parsesEmpty: true,
};

/**
 * A value that only a shell expands, and none does in a file or after `--data=`: the data would be in a folder of that
 * name.
 */
const FOR_A_SHELL = /^(?:~[^/]*|\$\{?\w+\}?)(?:\/|$)/;

export const folderPath: SettingKind<string> = {
  parse: (text, name) => {
    if (text.trim() === '') return refused(`${name} is empty. Specify a folder.`);
    const [begin] = FOR_A_SHELL.exec(text) ?? [];
    if (begin === undefined) return { value: text };
    return refused(
      `${name} begins with ${begin}, which only a shell expands. Write the full path, or ./${begin} for a folder of that name.`,
    );
  },
  parsesEmpty: true,
};

export function wholeNumber(min: number, max: number): SettingKind<number> {
  return {
    parse: (text, name) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return { value };
      return refused(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    },
  };
}

/** Makes a setting optional; it is `null` if left out. */
export function optional<T>({ parse }: SettingKind<T>): SettingKind<T | null> {
  return { parse: (text, name) => (text === '' ? { value: null } : parse(text, name)) };
}

/** The source for barcodes that no retailer has: databases that are asked live, a dump of them, or none. */
export const barcodeDatabases: SettingKind<'live' | 'off' | { readonly file: string }> = {
  parse: (text, name) => {
    const word = text.trim().toLowerCase();
    if (word === 'live' || word === 'off') return { value: word };
    if (/[/\\.]/.test(text)) return { value: { file: text } };
    return refused(`${name} must be live, off or the path of a dump, not "${text}".`);
  },
};

export const trueOrFalse: SettingKind<boolean> = {
  parse: (text, name) => {
    const word = text.toLowerCase();
    if (['0', 'false'].includes(word)) return { value: false };
    if (['1', 'true'].includes(word)) return { value: true };
    return refused(`${name} must be true or false, not "${text}".`);
  },
};

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Some of the roles, separated by commas; only spaces mean all of them. */
export const processRoles: SettingKind<readonly Role[]> = {
  parse: (text, name) => {
    if (text.trim() === '') return { value: ROLES };
    const named = text.split(',').map((each) => each.trim().toLowerCase());
    const unknown = named.find((each) => !ROLES.some((role) => role === each));
    if (unknown !== undefined) {
      return refused(
        `${name} must be ${ROLES.join(', ')} or both separated by a comma, not "${unknown}".`,
      );
    }
    return { value: ROLES.filter((role) => named.includes(role)) };
  },
};

/**
 * A PostgreSQL server, or several of which one takes writes. Problems never repeat the address, because it contains a password.
 */
export const databaseUrl: SettingKind<string | null> = {
  parse: (text, name) => databaseSetting(readDatabaseUrl(text), name),
};

/** One PostgreSQL server that may be read-only. */
export const replicaUrl: SettingKind<string | null> = {
  parse: (text, name) => databaseSetting(readDatabaseUrl(text, 'replica'), name),
};

function databaseSetting(
  { url, problem }: ReturnType<typeof readDatabaseUrl>,
  name: string,
): ParsedSetting<string | null> {
  return problem === null ? { value: url } : refused(`${name} ${problem}.`);
}

/** An ISO 4217 code in any letter case. */
export const currencyCode: SettingKind<string> = {
  parse: (text, name) => {
    const code = text.trim().toUpperCase();
    if (isCurrencyCode(code)) return { value: code };
    return refused(`${name} must be an ISO 4217 code such as USD or EUR, not "${text}".`);
  },
};

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

/** An https origin, without a slash at the end. */
export const httpsOrigin: SettingKind<string> = {
  parse: (text, name) => {
    const url = httpUrl(text);
    const isOrigin = url?.protocol === 'https:' && url.href === `${url.origin}/`;
    // It is written into headers between quotation marks.
    if (isOrigin && /^[a-z\d.:[\]-]+$/.test(url.host)) return { value: url.origin };
    return refused(`${name} must be an origin such as https://shelf.example.com, not "${text}".`);
  },
};

const SIGNATURE_FORMS: readonly SignatureForm[] = ['string', 'dictionary'];

export const signatureForm: SettingKind<SignatureForm> = {
  parse: (text, name) => {
    const value = SIGNATURE_FORMS.find((form) => form === text);
    if (value !== undefined) return { value };
    return refused(`${name} must be ${SIGNATURE_FORMS.join(' or ')}, not "${text}".`);
  },
};

/** The address of this installation, without a slash at the end. */
export const publicAddress: SettingKind<string> = {
  parse: (text, name) => {
    const url = httpUrl(text);
    const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === '';
    if (isPlain) return { value: url.href.replace(/\/+$/, '') };
    return refused(`${name} must be an address such as https://shelf.example.com, not "${text}".`);
  },
};

/** An https address that shops can fetch and that a header can state. */
export const agentProfileAddress: SettingKind<string> = {
  parse: (text, name) => {
    const url = httpUrl(text);
    const isPublic = url?.protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(url.hostname);
    if (isPublic && url.username === '' && url.hash === '') return { value: url.href };
    return refused(
      `${name} must be an address such as https://shelf.example.com/.well-known/ucp, not "${text}".`,
    );
  },
};

/** An http or https address. Problems never repeat it, because it may contain a password. */
export const proxyAddress: SettingKind<string> = {
  parse: (text, name) => {
    const url = httpUrl(text);
    if (url === null) return refused(`${name} must be an http or https address.`);
    if (isDecodable(url.username) && isDecodable(url.password)) return { value: text };
    const problem = 'has a percent sign in its user or password that encodes nothing';
    return refused(`${name} ${problem}: write it as %25.`);
  },
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const contactAddress: SettingKind<string> = {
  parse: (text, name) => {
    if (httpUrl(text) !== null || /^mailto:[^\s@]+@[^\s@]+$/.test(text)) return { value: text };
    if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return { value: `mailto:${text}` };
    return refused(
      `${name} must be an e-mail address, or an http or https address, at which a shop can reach you, not "${text}".`,
    );
  },
};

/** Comma-separated texts. All are checked, so that one start shows every problem. */
function listOf(problemOf: (entry: string) => string | null): SettingKind<readonly string[]> {
  return {
    parse: (text, name) => {
      const value = namesIn(text);
      const problems = value.map(problemOf).filter((each) => each !== null);
      if (problems.length === 0) return { value };
      return { problems: problems.map((each) => `${name}: ${each}`) };
    },
  };
}

export const originList = listOf((text) =>
  httpUrl(text)?.origin === text ? null : `"${text}" is not an origin such as https://example.com.`,
);

export const deniedHosts = listOf((text) => {
  const problem = denialProblem(text);
  return problem === null ? null : `${problem}.`;
});

const receiverTexts = listOf((text) => {
  const problem = allowedReceiverProblem(text);
  return problem === null ? null : `${problem}.`;
});

/** Comma-separated entries of the form `host:port`. */
export const receiverList: SettingKind<AllowedReceivers> = {
  parse: (text, name) => {
    const parsed = receiverTexts.parse(text, name);
    return 'value' in parsed ? { value: parseAllowedReceivers(parsed.value) } : parsed;
  },
};

/** Problems never repeat the address, because it contains a password. */
export const mailServer: SettingKind<MailServer> = {
  parse: (text, name) => {
    const parsed = parseMailServer(text);
    return 'server' in parsed ? { value: parsed.server } : refused(`${name} ${parsed.problem}.`);
  },
};

/** A sender of mail; empty if there is none. */
export const mailSender: SettingKind<string> = {
  parse: (text, name) => {
    if (text === '' || senderDomain(text) !== null) return { value: text };
    return refused(
      `${name} must be an e-mail address such as shelf@example.com or Shelf watch <shelf@example.com>.`,
    );
  },
};

/** Checked here, because the resolver's own errors do not name the setting, and port 0 would end the process. */
export const dnsServers = listOf((text) =>
  isDnsServer(text)
    ? null
    : `"${text}" is not an address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53.`,
);

function isDnsServer(text: string): boolean {
  if (isIpAddress(text)) return true;
  const [, v6 = '', v4 = '', port = '53'] =
    /^(?:\[([^\]]*:[^\]]*)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isIpAddress(v6 === '' ? v4 : v6) && Number(port) >= 1 && Number(port) <= 65_535;
}

/**
 * Checks whether the text is an IP address, read as a URL's host. A link-local server may name the network interface:
 * `fe80::1%eth0`.
 */
function isIpAddress(text: string): boolean {
  if (/^[\d.]+$/.test(text)) return URL.parse(`http://${text}/`)?.hostname === text;
  const [, v6] = /^([\da-f:.]*:[\da-f:.]*)(?:%[\w.-]+)?$/i.exec(text) ?? [];
  return v6 !== undefined && URL.canParse(`http://[${v6}]/`);
}

/** `https://shop.example.com=http://127.0.0.1:4010,...`: requests for the first origin are sent to the second. */
export const originMap: SettingKind<OriginMap> = {
  parse: (text) => {
    const { origins, problems } = parseOrigins(text);
    return problems.length === 0 ? { value: origins } : { problems };
  },
};

export const socketAddress: SettingKind<SocketAddress> = {
  parse: (text, name) => {
    const [, v6, named, port = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
    const host = v6 ?? named;
    if (host !== undefined && Number(port) <= 65_535)
      return { value: { host, port: Number(port) } };
    return refused(
      `${name} must be an address such as 127.0.0.1:9464 or [::1]:9464, not "${text}".`,
    );
  },
};

/** Comma-separated host names in lower case; empty if none is named. */
export const hostNames: SettingKind<readonly string[]> = {
  parse: (text, name) => {
    const hosts = text
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter((each) => each !== '');
    const wrong = hosts.filter(
      (each) => /[/:@?#]/.test(each) || !isHostName(URL.parse(`http://${each}`)?.hostname ?? ''),
    );
    if (wrong.length === 0)
      return { value: hosts.map((each) => new URL(`http://${each}`).hostname) };
    return {
      problems: wrong.map(
        (each) =>
          `${name}: "${each}" is not a host name. Write it as shop.example, without https:// and *; it covers its subdomains.`,
      ),
    };
  },
};

/** 32 random bytes. Problems never repeat them. */
export const secretsKey: SettingKind<Uint8Array> = {
  parse: (text, name) => {
    const written = text.trim();
    const bytes = /^[\da-f]{64}$/i.test(written)
      ? Buffer.from(written, 'hex')
      : Buffer.from(written, /[-_]/.test(written) ? 'base64url' : 'base64');
    if (bytes.length === 32) return { value: Uint8Array.from(bytes) };
    return refused(
      `${name} must be 32 random bytes as base64 or hexadecimal digits: generate them with openssl rand -base64 32.`,
    );
  },
};

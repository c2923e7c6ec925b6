// Certificates for loopback TLS servers, made when a test needs them: a certificate authority for the test run and one leaf
// per server name, written as DER by hand (RFC 5280), so that the repository contains no key.

import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALT_NAME = '551d11';

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Uint8Array) => der(0x04, content);
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
const name = (text: string) =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))));
const time = (text: string) => der(0x17, Buffer.from(text));

const altName = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

type Issuer = { readonly name: string; readonly key: KeyObject };

function certificate(subject: string, publicKey: KeyObject, issuer: Issuer, san: string | null) {
  const extension =
    san === null
      ? sequence(oid(BASIC_CONSTRAINTS), octets(sequence(der(0x01, Buffer.from([0xff])))))
      : sequence(oid(SUBJECT_ALT_NAME), octets(sequence(altName(san))));
  const serial = Buffer.from(subject).subarray(0, 16);
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), serial])),
    sequence(oid(ECDSA_WITH_SHA256)),
    name(issuer.name),
    sequence(time('250101000000Z'), time('491231235959Z')),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', signed, issuer.key);
  const whole = sequence(signed, sequence(oid(ECDSA_WITH_SHA256)), bits(signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Returns a certificate for this name, followed by this many from unknown issuers. */
export function untrustedChain(
  serverName: string,
  length: number,
): { readonly key: string; readonly cert: string } {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = (at: number) => ({ name: `issuer ${at}`, key });
  const behind = Array.from({ length }, (_, at) =>
    certificate(issuer(at).name, publicKey, issuer(at + 1), null),
  );
  const leaf = certificate('a shop of the tests', publicKey, issuer(0), serverName);
  return {
    key: key.export({ type: 'pkcs8', format: 'pem' }),
    cert: [leaf, ...behind].join(''),
  };
}

export type TestAuthority = {
  /** PEM that the client should trust. */
  readonly certificate: string;
  /** Returns the context of a server with this name. */
  contextFor(serverName: string): SecureContext;
  /** The same as PEM, for servers that make their own context; also for an IPv4 address. */
  leafFor(serverName: string, kind?: 'ec' | 'rsa'): { readonly key: string; readonly cert: string };
};

export function createTestAuthority(): TestAuthority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: 'openshelf test authority', key: own.privateKey };
  const authority = certificate(issuer.name, own.publicKey, issuer, null);
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const contexts = new Map<string, SecureContext>();
  const leafFor = (serverName: string, kind: 'ec' | 'rsa' = 'ec') => {
    const leaf = kind === 'ec' ? ec : generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const cert = certificate('a shop of the tests', leaf.publicKey, issuer, serverName);
    return { key, cert };
  };
  return {
    certificate: authority,
    leafFor,
    contextFor(serverName) {
      const known = contexts.get(serverName);
      if (known !== undefined) return known;
      const context = createSecureContext(leafFor(serverName));
      contexts.set(serverName, context);
      return context;
    },
  };
}

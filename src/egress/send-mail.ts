// Sends notices to the operator's mail server. The socket is opened here, to an address that was looked up once. nodemailer,
// which is loaded with the first mail, speaks SMTP over it and opens no file or address itself. The server is the operator's
// own setting and may be private.

import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';

import type { DeliveryResult } from '../rules/channels/channel.ts';
import { withoutAnswer } from '../rules/channels/delivery-result.ts';
import type { Mail, SendMail } from '../rules/channels/receiver.ts';
import { openConnection } from './guard/connector.ts';
import { createOperatorsResolver, type Resolve } from './guard/resolver.ts';
import { operatorsAddresses } from './hop.ts';
import { DEFAULT_LIMITS, type FetchLimits } from './limits.ts';
import { senderDomain, type MailServer } from './smtp-url.ts';
import { unlessAborted } from './socket-wait.ts';

export type MailOptions = {
  readonly server: MailServer;
  /** `name@mail.example` or `Shelf watch <name@mail.example>`. */
  readonly from: string;
  /** `address` or `address:port`; if empty, the system's resolver is used. */
  readonly dnsServers?: readonly string[];
  /** PEM certificates that are trusted in addition to the built-in ones. */
  readonly extraCertificates?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
  /** How long the server may take to answer when it has the whole message. */
  readonly answerMs?: number;
  readonly resolve?: Resolve;
};

/** Limits up to the end of the message. Mail servers may delay the greeting for some seconds, to detect spammers. */
const MAIL_LIMITS: FetchLimits = { ...DEFAULT_LIMITS, wholeMs: 30_000, firstByteMs: 20_000 };
/**
 * Time limit from the end of the message to the server's answer. The server scans the mail, and a client that gives up
 * before the answer would send the same mail again (RFC 5321, 4.5.3.2.6).
 */
const ANSWER_MS = 120_000;
const MAX_REPLY_BYTES = 16 * 1024;

/** Sends each mail over a separate connection. Throws if a DNS server is not an address. */
export function createSendMail(options: MailOptions): SendMail {
  const limits = { ...MAIL_LIMITS, ...options.limits };
  const answerMs = options.answerMs ?? ANSWER_MS;
  const resolveOperators = options.resolve ?? createOperatorsResolver(options.dnsServers ?? []);
  return async (mail) => {
    const signal = AbortSignal.timeout(limits.wholeMs);
    let socket: Socket | null = null;
    const connect = async (): Promise<Socket> => {
      const { host, port } = options.server;
      const addresses = await operatorsAddresses(host, { resolveOperators, limits });
      const target = { addresses, port, tlsName: null, extraCertificates: [], tunnel: null };
      socket = await openConnection(target, limits, AbortSignal.timeout(limits.wholeMs + answerMs));
      return socket;
    };
    const written = Promise.withResolvers<void>();
    const way = { connect, idleMs: answerMs + limits.wholeMs, written: written.resolve };
    const delivered = deliver(options, limits, mail, way);
    try {
      await unlessAborted(signal, Promise.race([delivered, written.promise]));
      await unlessAborted(AbortSignal.timeout(answerMs), delivered);
      return withoutAnswer('delivered', 'The mail server accepted it.');
    } catch (error) {
      (socket as Socket | null)?.destroy();
      return deliveryResultOfError(error);
    }
  };
}

type Way = {
  readonly connect: () => Promise<Socket>;
  readonly idleMs: number;
  /** Called once the whole message is handed over. */
  readonly written: () => void;
};

async function deliver(
  { server, from, extraCertificates = [] }: MailOptions,
  limits: FetchLimits,
  mail: Mail,
  { connect, idleMs, written }: Way,
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const { login, startTls } = server;
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isTls,
    requireTLS: !server.isTls && startTls === 'required',
    ignoreTLS: !server.isTls && startTls === 'off',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: {
      // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
      rejectUnauthorized: true,
      ...(extraCertificates.length === 0 ? {} : { ca: [...trustedRoots(), ...extraCertificates] }),
    },
    getSocket: (_options, callback) => {
      connect().then(
        (connection) => callback(null, { connection }),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.firstByteMs,
    socketTimeout: idleMs,
    maxResponseSize: MAX_REPLY_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ message }, done) => {
    message.transform(() => endingWith(written));
    done();
  });
  const { id, to, subject, text, html } = mail;
  await transport.sendMail({
    from,
    // As an object it is not parsed, so that one mail goes to one address.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id.replaceAll(/[^\w.-]/g, '-')}@${senderDomain(from) ?? 'openshelf'}>`,
    // RFC 3834: suppresses automatic replies, such as out-of-office messages.
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
}

/** Passes everything through, and notifies when it has ended. */
function endingWith(ended: () => void): Transform {
  const { PassThrough } = process.getBuiltinModule('node:stream');
  return new PassThrough({
    flush: (done) => {
      ended();
      done();
    },
  });
}

/** Fields of nodemailer's errors. The message is omitted, because it contains hosts and people. */
type MailError = {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
};

const UNREACHABLE =
  'The mail server of OPENSHELF_SMTP_URL cannot be reached or does not answer in time: its operator has to fix it.';

/**
 * Converts an error to a delivery result. An error about the server is for the operator to fix, so the mail is retried; one
 * about the recipient may be final.
 */
function deliveryResultOfError(thrown: unknown): DeliveryResult {
  const { code, command, responseCode } = (thrown ?? {}) as MailError;
  const reply = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = reply === null || reply >= 500;
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return withoutAnswer(
        'retry',
        'The mail server refuses the user or password of OPENSHELF_SMTP_URL.',
      );
    case 'ETLS':
    case 'EREQUIRETLS':
      return withoutAnswer(
        'retry',
        'TLS with the mail server of OPENSHELF_SMTP_URL failed: the server does not offer it, or its certificate does not match.',
      );
    case 'EENVELOPE':
    case 'EMESSAGE':
      if (command === 'MAIL FROM') {
        const detail = `The mail server refuses the sender of OPENSHELF_SMTP_FROM (${reply ?? 'no reply'}).`;
        return withoutAnswer('retry', detail);
      }
      return withoutAnswer(
        isFinal ? 'refused' : 'retry',
        `The mail server ${isFinal ? 'refuses' : 'does not accept'} mail for this address${reply === null ? '' : ` (${reply})`}.`,
      );
    default:
      return withoutAnswer('retry', UNREACHABLE);
  }
}

/** Node's own root certificates, loaded when a mail is sent. */
function trustedRoots(): readonly string[] {
  return process.getBuiltinModule('node:tls').rootCertificates;
}

// A real mail server on loopback that stores what it receives. It accepts mail for all recipients except those that a test
// names.

import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

import type { TestAuthority } from './certificates.ts';

/** The name in the server's certificate. */
export const MAIL_HOST = 'mail.example.com';

type Received = {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole message as received. */
  readonly raw: string;
  readonly isTls: boolean;
  readonly user: string | null;
};

export type MailServer = {
  readonly port: number;
  readonly received: Received[];
  /** Recipients, senders and, as `data`, messages → the code that they are refused with. */
  readonly refusing: Map<string, number>;
  close(): Promise<void>;
};

type MailServerOptions = {
  readonly authority: TestAuthority;
  /** TLS from the first byte. */
  readonly isTls?: boolean;
  readonly hasStartTls?: boolean;
  /** Without it no login is required. */
  readonly login?: { readonly user: string; readonly password: string };
};

function refusal(code: number): Error {
  return Object.assign(new Error('the recipient jane.doe@shop.example is not wanted here'), {
    responseCode: code,
  });
}

export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const { authority, isTls = false, hasStartTls = true, login } = options;
  const received: Received[] = [];
  const refusing = new Map<string, number>();
  const refusedAs = (what: string): Error | null => {
    const code = refusing.get(what);
    return code === undefined ? null : refusal(code);
  };
  const server = new SMTPServer({
    ...authority.leafFor(MAIL_HOST),
    secure: isTls,
    disabledCommands: hasStartTls ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.password;
      if (isRight) done(null, { user: username });
      else done(Object.assign(new Error('no such user s3cret'), { responseCode: 535 }));
    },
    onMailFrom: ({ address }, _session, done) => done(refusedAs(address)),
    onRcptTo: ({ address }, _session, done) => done(refusedAs(address)),
    onData: (stream, session, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString('utf8'),
          isTls: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        });
        done(refusedAs('data'));
      });
    },
  });
  // A client that disconnects during a handshake does not fail the test.
  server.on('error', () => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => resolve());
  await promise;
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refusing,
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      await closed;
    },
  };
}

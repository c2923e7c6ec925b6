// The settings for sending notices.

import { mailSender, mailServer, optional, publicAddress, receiverList } from './setting-kinds.ts';

export const NOTICE_SETTINGS = {
  notifyAllow: {
    name: 'OPENSHELF_NOTIFY_ALLOW',
    kind: receiverList,
    default: '',
    line: 'Receivers of notices that may be on a private address, as host:port, separated by commas.',
    page:
      'Receivers of notices that may be on a private or loopback address or an unusual port, as `host:port`, ' +
      'and MQTT brokers, separated by commas: `hooks.internal:8080,127.0.0.1:1883`; for one organization, or below a path, ' +
      '`acme=hooks.internal:8080/shelf`. All others need a public address ' +
      '([watches](../use/watches.md#delivery)).',
  },
  smtpServer: {
    name: 'OPENSHELF_SMTP_URL',
    kind: optional(mailServer),
    default: '',
    line: 'Mail server that sends notices: smtp://user:password@mail.example.com:587 or smtps://...:465',
    page:
      'Mail server that sends notices: `smtp://user:password@mail.example.com:587` (STARTTLS) or ' +
      '`smtps://…:465` ([mail](#mail)). It may be on a private address. Keep it secret.',
  },
  smtpFrom: {
    name: 'OPENSHELF_SMTP_FROM',
    kind: mailSender,
    default: '',
    line: 'Sender address of notices by mail: shelf@example.com or Shelf watch <shelf@example.com>',
    page:
      'Sender address of notices by mail: `shelf@example.com` or `Shelf watch <shelf@example.com>`. Required ' +
      'with `OPENSHELF_SMTP_URL`.',
  },
  publicUrl: {
    name: 'OPENSHELF_PUBLIC_URL',
    kind: optional(publicAddress),
    default: '',
    line: 'Address at which people reach this installation, for links in notices: https://shelf.example.com',
    page:
      'Address at which people reach this installation, for links in notices and mails: `https://shelf.example.com`. ' +
      'Without it, they have none.',
  },
} as const;

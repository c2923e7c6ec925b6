// Wires how notices leave the service: the guarded way to receivers, and the operator's mail server if there is one.

import { SERVICE_ORIGINS } from '../channels/request-for.ts';
import type { Config } from '../config.ts';
import { guardReceiver } from '../fetch/guard/receiver-guard.ts';
import { onlyOrigins } from '../fetch/origins.ts';
import { createPostToReceiver } from '../fetch/post-to-receiver.ts';
import { createSendMail } from '../fetch/send-mail.ts';
import { createSendLetter, type SendLetter } from '../indexer/send-letter.ts';
import { versionText } from '../package-files.ts';
import type { Needs } from './shared-parts.ts';

export type Sending = {
  /** Whether an address may be a receiver as far as its text tells. */
  readonly isAllowedReceiver: (url: string) => boolean;
  /** Sends one notice to one receiver. */
  readonly sendLetter: SendLetter;
};

export function wireSending(config: Config, { clock, denials }: Needs): Sending {
  const { dnsServers, smtpServer, smtpFrom } = config;
  const origins = onlyOrigins(config.origins, SERVICE_ORIGINS);
  const allowed = config.notifyAllow;
  const postToReceiver = createPostToReceiver({
    version: versionText(),
    contact: config.contact,
    allowed,
    denials,
    origins,
    dnsServers,
    egressProxy: config.egressProxy,
  });
  const sendMail =
    smtpServer === null ? null : createSendMail({ server: smtpServer, from: smtpFrom, dnsServers });
  return {
    isAllowedReceiver: (url) => guardReceiver(url, { allowed, origins }).verdict.ok,
    sendLetter: createSendLetter({ postToReceiver, sendMail, clock }),
  };
}

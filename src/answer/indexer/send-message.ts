// Sends one notice to one receiver of any kind, and returns the delivery result.

import type { ChannelMessage, DeliveryResult, Target } from '../../rules/channels/channel.ts';
import { mailFor } from '../../rules/channels/email.ts';
import type { PostToReceiver, SendMail } from '../../rules/channels/receiver.ts';
import {
  brokerResultOf,
  deliveryResultOf,
  withoutAnswer,
} from '../../rules/channels/delivery-result.ts';
import { mqttMessages } from '../../rules/channels/mqtt.ts';
import { requestFor } from '../../rules/channels/request-for.ts';
import { withoutSecrets } from '../../rules/channels/target-secrets.ts';
import type { Clock } from '../../base/clock.ts';

type SendParts = {
  readonly postToReceiver: PostToReceiver;
  /** Null if this installation has no mail server. */
  readonly sendMail: SendMail | null;
  /** The wall clock for time stamps: receivers compare the time in signatures with their own clock. */
  readonly clock: Clock;
};

/** Never rejects. */
export type SendMessage = (target: Target, message: ChannelMessage) => Promise<DeliveryResult>;

export function createSendMessage(parts: SendParts): SendMessage {
  return async (target, message) => {
    try {
      return await send(parts, target, message);
    } catch (error) {
      // The error is a fault of ours. Its message is not shown, because it may quote the message that was sent.
      const name = error instanceof Error ? error.name : typeof error;
      return withoutAnswer('retry', `The notice could not be turned into a message (${name}).`);
    }
  };
}

async function send(
  { postToReceiver, sendMail, clock }: SendParts,
  target: Target,
  message: ChannelMessage,
): Promise<DeliveryResult> {
  if (target.kind === 'email') {
    if (sendMail === null) return NO_MAIL;
    return sendMail(mailFor(target, message));
  }
  if (target.kind === 'feed')
    return withoutAnswer('delivered', 'A feed sends nothing: readers fetch it.');
  const request =
    target.kind === 'mqtt'
      ? { url: target.url, login: target.login, messages: mqttMessages(target, message) }
      : requestFor(target, message, { nowMs: clock.now() });
  const posted = await postToReceiver(request, message.notice.organizationId);
  if (!posted.ok) return withoutAnswer(posted.mayChange ? 'retry' : 'refused', posted.detail);
  if (target.kind === 'mqtt') return brokerResultOf(posted.answer.status);
  const body = withoutSecrets(posted.answer.body, target);
  return deliveryResultOf(target.kind, { ...posted.answer, body }, clock.now());
}

/** The result of sending mail in an installation without a mail server. */
export const NO_MAIL: DeliveryResult = withoutAnswer(
  'retry',
  'This installation cannot send email: the operator has to set OPENSHELF_SMTP_URL and ' +
    'OPENSHELF_SMTP_FROM.',
);

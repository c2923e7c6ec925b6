// Sends one notice to one receiver of any kind, and says what became of it.

import type { Letter, Reception, Target } from '../../rules/channels/channel.ts';
import { mailFor } from '../../rules/channels/email.ts';
import type { PostToReceiver, SendMail } from '../../rules/channels/receiver.ts';
import { receptionOf, withoutAnswer } from '../../rules/channels/reception.ts';
import { requestFor } from '../../rules/channels/request-for.ts';
import { withoutSecrets } from '../../rules/channels/target-secrets.ts';
import type { Clock } from '../../base/clock.ts';

type SendParts = {
  readonly postToReceiver: PostToReceiver;
  /** Null if this installation has no mail server. */
  readonly sendMail: SendMail | null;
  /** The clock of time stamps: receivers compare the time in signatures with their own clock. */
  readonly clock: Clock;
};

/** Never rejects. */
export type SendLetter = (target: Target, letter: Letter) => Promise<Reception>;

export function createSendLetter(parts: SendParts): SendLetter {
  return async (target, letter) => {
    try {
      return await send(parts, target, letter);
    } catch (error) {
      // The error is a fault of ours. Its message is not shown, because it may quote what was sent.
      const name = error instanceof Error ? error.name : typeof error;
      return withoutAnswer('retry', `The notice could not be made into a message (${name}).`);
    }
  };
}

async function send(
  { postToReceiver, sendMail, clock }: SendParts,
  target: Target,
  letter: Letter,
): Promise<Reception> {
  if (target.kind === 'email') {
    if (sendMail === null) return withoutAnswer('retry', NO_MAIL);
    return sendMail(mailFor(target, letter));
  }
  const request = requestFor(target, letter, { nowMs: clock.now() });
  const posted = await postToReceiver(request);
  if (!posted.ok) return withoutAnswer(posted.mayChange ? 'retry' : 'refused', posted.detail);
  const body = withoutSecrets(posted.answer.body, target);
  return receptionOf(target.kind, { ...posted.answer, body }, clock.now());
}

const NO_MAIL =
  'This installation sends no mail: its operator has to set OPENSHELF_SMTP_URL and OPENSHELF_SMTP_FROM.';

// Asks the owner of a mail address whether notices may come there, and checks the answer. Until then nothing is sent there, so
// that nobody can have this installation write to strangers.

import type { DeliveryResult, Target } from '../../../rules/channels/channel.ts';
import { CODE_LETTERS, confirmationMail } from '../../../rules/channels/confirmation.ts';
import type { SendMail } from '../../../rules/channels/receiver.ts';
import type { Channel } from '../../../rules/channels/stored-channel.ts';
import { FaultError } from '../../../base/fault.ts';
import { codeFrom, readCode } from '../../../base/typed-code.ts';
import { confirmChannel } from '../../../data/watches/channel-writes.ts';
import { isMadeId, madeId } from '../../../data/made-id.ts';
import type { Secrets } from '../../../data/secrets.ts';
import type { Store } from '../../../data/store.ts';
import { openTarget } from '../../../data/watches/sealed-target.ts';

type EmailTarget = Extract<Target, { kind: 'email' }>;

export type Confirmation = {
  /** Sends the question. The code stays the same for the same address. */
  ask(channel: Channel, target: EmailTarget): Promise<DeliveryResult>;
  /** Confirms a channel with the code that its receiver got. Throws FaultError invalid_parameter if it is another one. */
  confirm(channel: Channel, code: string): Promise<void>;
  /** The same for the receiver, who has no key: false if channel and code do not belong together. */
  confirmByLink(channelId: string, code: string): Promise<boolean>;
};

type ConfirmationParts = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly newId: () => string;
  readonly sendMail: SendMail;
  /** The address of this installation without a slash at the end; null if mails have no link. */
  readonly publicUrl: string | null;
};

/** The page where the receiver agrees, under the installation's address. */
export const CONFIRM_PATH = '/confirm';

export function createConfirmation(parts: ConfirmationParts): Confirmation {
  const { store, secrets, newId, sendMail, publicUrl } = parts;
  const codeOf = ({ id }: Channel, { to }: EmailTarget) =>
    codeFrom(secrets.derive(`confirmation of ${id} to ${to}`).subarray(0, CODE_LETTERS));
  const isCode = (channel: Channel, written: string) => {
    const target = openTarget(secrets, channel);
    return target?.kind === 'email' && readCode(written, CODE_LETTERS) === codeOf(channel, target);
  };
  return {
    ask(channel, target) {
      const code = codeOf(channel, target);
      const asked = new URLSearchParams({ channel: channel.id, code });
      const link = publicUrl === null ? null : `${publicUrl}${CONFIRM_PATH}?${asked.toString()}`;
      return sendMail(confirmationMail(target, { id: madeId('ntc', newId()), code, link }));
    },
    async confirm(channel, code) {
      if (!channel.isUnconfirmed) return;
      if (!isCode(channel, code)) throw new FaultError(OTHER_CODE);
      await store.sql.write([confirmChannel(channel)]);
    },
    async confirmByLink(channelId, code) {
      if (!isMadeId('chn', channelId) || readCode(code, CODE_LETTERS) === null) return false;
      const channel = await store.channels.findOfAny(channelId);
      if (channel === null || !isCode(channel, code)) return false;
      return (await store.sql.write([confirmChannel(channel)])).done;
    },
  };
}

const OTHER_CODE = {
  code: 'invalid_parameter',
  parameter: 'code',
  detail:
    'This is not the code that was sent to the address. Read it again, or send a test, which sends the code once more.',
} as const;

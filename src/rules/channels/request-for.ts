// Builds the request that delivers a notice to a receiver, for each kind of channel except mail. Pure.

import type { ChannelMessage, Target } from './channel.ts';
import { appriseRequest } from './apprise.ts';
import { discordRequest } from './discord.ts';
import { ntfyRequest } from './ntfy.ts';
import type { ReceiverRequest } from './receiver.ts';
import { slackRequest } from './slack.ts';
import { telegramRequest } from './telegram.ts';
import { webhookRequest } from './webhook.ts';

/** `nowMs`: the time of this attempt. */
export function requestFor(
  target: Exclude<Target, { kind: 'email' | 'mqtt' | 'feed' }>,
  message: ChannelMessage,
  { nowMs }: { readonly nowMs: number },
): ReceiverRequest {
  switch (target.kind) {
    case 'webhook':
      return webhookRequest(target, message, nowMs);
    case 'apprise':
      return appriseRequest(target, message);
    case 'ntfy':
      return ntfyRequest(target, message);
    case 'discord':
      return discordRequest(target, message);
    case 'slack':
      return slackRequest(target, message);
    case 'telegram':
      return telegramRequest(target, message);
  }
}

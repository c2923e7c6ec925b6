// Channels and the delivery log on the wire (D71): requests and answers. No answer contains a secret or an address, except
// for a signing secret in the answer that creates it.

import { z } from 'zod';

import { CHANNEL_KINDS, type DeliveryResult } from '../../../rules/channels/channel.ts';
import type { Channel, Delivery } from '../../../rules/channels/stored-channel.ts';
import { isoTimestamp, isoOrNull } from '../../../base/clock.ts';
import { isTimeZone } from '../../../rules/channels/schedule.ts';
import { instant, text, tokenFields } from '../fields.ts';

const field = (longest: number, description: string) =>
  z.string().min(1).max(longest).optional().meta({ description });

/** Fields of a channel's target. Which of them a kind takes is checked by the kind's own rules. */
const targetFields = {
  url: field(
    2_048,
    'For `webhook`, `ntfy` (with the topic), `discord`, `slack` and `apprise`: the address to which ' +
      'notifications are posted. For `mqtt`: `mqtt://host:1883` or `mqtts://host:8883`. It is never shown again.',
  ),
  secret: field(
    200,
    'For `webhook`: the signing secret, `whsec_` followed by the base64 of 24 to 64 bytes. If ' +
      'omitted, one is generated, and shown once as `signing_secret` of the response.',
  ),
  server: field(2_048, 'For `ntfy`, with `topic` and instead of `url`: the address of the server.'),
  topic: field(
    100,
    'For `ntfy`, with `server` and instead of `url`: the topic. For `mqtt`: the beginning of its topics, by ' +
      'default `openshelf`.',
  ),
  username: field(200, 'For `mqtt`, with `password`: the user name.'),
  password: field(200, 'For `mqtt`, with `username`: the password.'),
  token: field(500, 'For `ntfy`: an access token.'),
  bot_token: field(200, 'For `telegram`: the token of the bot.'),
  chat_id: z
    .union([z.string().min(1).max(100), z.int()])
    .optional()
    .meta({ description: 'For `telegram`: the chat, as a number or @channel.' }),
  to: field(320, 'For `email`: the address of one recipient.'),
};

const name = z
  .string()
  .min(1)
  .max(100)
  // Half a surrogate pair is not a character.
  .refine((written) => !/[\p{Cc}\p{Cs}]/u.test(written), {
    params: { allowed: ['1 to 100 characters without control characters'] },
  })
  .meta({ description: 'The display name of the channel.' });

const time = (description: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .meta({ description });

const schedule = z
  .strictObject({
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, { params: { allowed: ['a time zone such as Europe/Berlin'] } })
      .meta({ description: 'The time zone of the times.', example: 'Europe/Berlin' }),
    quiet_from: time('With `quiet_until`: when the quiet hours begin, as HH:MM.'),
    quiet_until: time('When the quiet hours end. What was held back is sent then.'),
    digest_at: time('When all notifications of the day are sent as one message, as HH:MM.'),
  })
  .refine(
    ({ quiet_from: from, quiet_until: until }) => (from === undefined) === (until === undefined),
    {
      params: { allowed: ['quiet_from and quiet_until together'] },
    },
  )
  .nullable()
  .meta({
    description:
      'When the channel sends, for people: quiet hours, and a daily digest. `null`: at once, at any time.',
  });

export const NewChannelBody = z
  .strictObject({
    kind: z
      .enum(CHANNEL_KINDS)
      .meta({ description: 'The kind of receiver to which notifications are sent.' }),
    name: name.optional(),
    schedule: schedule.optional(),
    ...targetFields,
  })
  .meta({ id: 'NewChannel', example: { kind: 'ntfy', url: 'https://ntfy.sh/my-topic' } });
export type NewChannelBody = z.infer<typeof NewChannelBody>;

export const ChannelPatchBody = z
  .strictObject({
    name: name.optional(),
    paused: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the channel is paused. Nothing is sent through a paused channel; notifications written ' +
          'meanwhile are listed with their watch.',
      }),
    schedule: schedule.optional(),
    ...targetFields,
  })
  .meta({ id: 'ChannelPatch' });
export type ChannelPatchBody = z.infer<typeof ChannelPatchBody>;

export const ConfirmChannelBody = z
  .strictObject({
    code: z.string().min(1).max(40).meta({
      description: 'The code that was sent to the email address. Case and dashes do not matter.',
    }),
  })
  .meta({ id: 'ConfirmChannel', example: { code: '7QK2-M0XD' } });

/** Returns the fields that were sent. */
export function fieldsOf(
  body: ChannelPatchBody & { readonly kind?: unknown },
): Readonly<Record<string, string | number>> {
  const { kind: _kind, name: _name, paused: _paused, schedule: _schedule, ...fields } = body;
  const sent = Object.entries(fields);
  return Object.fromEntries(
    sent.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

const status = z.int().nullable().meta({
  description:
    "The HTTP status of the receiver's response; `null` if there was no response, or not over HTTP.",
});

const ChannelBody = z
  .strictObject({
    channel_id: z.string().meta({
      description:
        'The ID of the channel: the `id` in the paths of its routes, and an entry of `channels` of a watch.',
      example: 'chn_2mQ9xkz0',
    }),
    kind: z
      .enum(CHANNEL_KINDS)
      .meta({ description: 'The kind of receiver to which notifications are sent.' }),
    name: z.string().meta({ description: 'The display name of the channel.' }),
    hint: z.string().meta({
      description:
        'The part of the target that is shown: a host, or the domain of an email address.',
    }),
    state: z.enum(['active', 'paused', 'failing', 'unconfirmed']).meta({
      description:
        'The state of the channel. `failing`: the last attempt failed; `last_detail` states why. ' +
        '`unconfirmed`: the owner of the email address has not confirmed it yet, and nothing else is sent.',
    }),
    schedule,
    created_at: z.iso.datetime().meta({ description: 'When the channel was created.' }),
    last_attempt_at: instant('When something was last sent, including tests; `null` if never.'),
    last_delivery_at: instant('When something was last delivered; `null` if never.'),
    last_status: status,
    last_detail: text('The outcome of the last attempt, in words; `null` if there was none.'),
  })
  .meta({
    id: 'Channel',
    description: 'A channel through which the notifications of an organization are sent.',
  });

export type ChannelOnWire = z.infer<typeof ChannelBody>;

export function presentChannel(channel: Channel): z.infer<typeof ChannelBody> {
  const { pausedAtMs, failures, isUnconfirmed } = channel;
  return {
    channel_id: channel.id,
    kind: channel.kind,
    name: channel.name,
    hint: channel.hint,
    state: isUnconfirmed
      ? 'unconfirmed'
      : pausedAtMs === null
        ? failures === 0
          ? 'active'
          : 'failing'
        : 'paused',
    schedule: channel.schedule,
    created_at: isoTimestamp(channel.createdAtMs),
    last_attempt_at: isoOrNull(channel.triedAtMs),
    last_delivery_at: isoOrNull(channel.deliveredAtMs),
    last_status: channel.status,
    last_detail: channel.detail,
  };
}

const DeliveryBody = z
  .strictObject({
    delivery_id: z.string().meta({ description: 'The ID of the delivery.' }),
    notice_id: z.string().meta({
      description:
        'The ID of the notification, by which a receiver recognises a repeated delivery.',
    }),
    channel_id: z.string().meta({ description: 'The ID of the channel through which it is sent.' }),
    title: text('The title of the notification.'),
    state: z.enum(['waiting', 'delivered', 'given_up']).meta({
      description:
        'The state of the delivery. `given_up`: it was refused, or was tried for a day without success.',
    }),
    attempts: z.int().meta({ description: 'The number of attempts so far.' }),
    created_at: z.iso.datetime().meta({ description: 'When the notification was written.' }),
    next_attempt_at: instant('When the delivery is retried; `null` if at once, or not at all.'),
    last_attempt_at: instant('When the delivery was last tried; `null` if never.'),
    delivered_at: instant('When the receiver accepted the notification; `null` if it has not.'),
    status,
    detail: text('The outcome of the last attempt, in words.'),
    excerpt: text("The start of the receiver's response, at most 1 KB."),
  })
  .meta({ id: 'Delivery', description: 'The delivery of a notification through a channel.' });

export type DeliveryOnWire = z.infer<typeof DeliveryBody>;

export function presentDelivery(
  delivery: Delivery,
  title: string | null,
): z.infer<typeof DeliveryBody> {
  const { state, nextAtMs } = delivery;
  return {
    delivery_id: delivery.id,
    notice_id: delivery.noticeId,
    channel_id: delivery.channelId,
    title,
    state,
    attempts: delivery.attempts,
    created_at: isoTimestamp(delivery.createdAtMs),
    next_attempt_at: state === 'waiting' && nextAtMs > 0 ? isoTimestamp(nextAtMs) : null,
    last_attempt_at: isoOrNull(delivery.triedAtMs),
    delivered_at: isoOrNull(delivery.deliveredAtMs),
    status: delivery.status,
    detail: delivery.detail,
    excerpt: delivery.excerpt,
  };
}

export const ChannelAnswer = z
  .strictObject({ channel: ChannelBody, ...tokenFields })
  .meta({ id: 'ChannelAnswer' });

export const ChannelMade = z.strictObject({
  channel: ChannelBody,
  signing_secret: text(
    'The secret with which the receiver of a webhook checks signatures, which a request can ' +
      'set as `secret`. It is shown only this once, and only if the service generated it; `null` ' +
      'otherwise.',
  ),
  feed_url: text(
    'For `feed`: the address of the feed, a path if the installation has no public address. Whoever has it can ' +
      'read the feed; it is shown only this once, and ends with the channel. `null` otherwise.',
  ),
  ...tokenFields,
});

export const ChannelList = z.strictObject({
  channels: z.array(ChannelBody).meta({ description: 'The channels, newest first.' }),
  kinds: z
    .array(z.enum(CHANNEL_KINDS))
    .meta({ description: 'The kinds of channel that this installation can use.' }),
  ...tokenFields,
});

export const ChannelDeleted = z.strictObject({
  deleted: z.literal(true).meta({ description: 'Always `true`: the channel is deleted.' }),
  channel_id: z.string().meta({ description: 'The ID of the deleted channel.' }),
  ...tokenFields,
});

export const ChannelTest = z.strictObject({
  outcome: z.enum(['delivered', 'retry', 'refused']).meta({
    description:
      'The outcome of the test. `retry`: a notification would be tried again. `refused`: it would not.',
  }),
  status,
  detail: z.string().meta({ description: 'The outcome in words.' }),
  excerpt: text("The start of the receiver's response, at most 1 KB."),
  ...tokenFields,
});
export type ChannelTest = z.infer<typeof ChannelTest>;

export function presentDeliveryResult({ outcome, status: code, detail, excerpt }: DeliveryResult) {
  return { outcome, status: code, detail, excerpt };
}

export const DeliveryList = z.strictObject({
  deliveries: z.array(DeliveryBody).meta({ description: 'The deliveries, newest first.' }),
  next: text('The value to send as `cursor` to continue; `null` on the last page.'),
  ...tokenFields,
});

export const DeliveryAnswer = z.strictObject({ delivery: DeliveryBody, ...tokenFields });

// Requests to receivers and their responses: the layer between the wording of a notice and the sockets. Types only.

import type { DeliveryResult } from './channel.ts';

/** A request that delivers a notice to a receiver. The address may contain a token, so no log or error includes it. */
export type ReceiverRequest = {
  readonly url: string;
  readonly method: 'POST';
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A message for a broker. `isRetained`: the broker gives it to whoever subscribes later. */
export type BrokerMessage = {
  readonly topic: string;
  readonly payload: string;
  readonly isRetained: boolean;
};

/** What is published over one connection to a broker. `url`: `mqtt://host:port` or `mqtts://host:port`. */
export type BrokerRequest = {
  readonly url: string;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly messages: readonly BrokerMessage[];
};

export type ReceiverAnswer = {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the answer; empty if it broke off after the headers. */
  readonly body: string;
};

export type PostOutcome =
  | { readonly ok: true; readonly answer: ReceiverAnswer }
  | {
      readonly ok: false;
      /** False if the address text alone forbids it, so that another attempt would have the same result. */
      readonly mayChange: boolean;
      /** A sentence without an address. */
      readonly detail: string;
    };

/**
 * Sends one request for a channel of this organization; of none, it may use receivers that are for all. The status of a
 * broker's answer is its return code, 0 if it accepted everything.
 */
export type PostToReceiver = (
  request: ReceiverRequest | BrokerRequest,
  organizationId?: string,
) => Promise<PostOutcome>;

export type Mail = {
  /** The notice's id, the same for every attempt. The Message-ID is derived from it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Passes one mail to the operator's mail server. Never rejects. */
export type SendMail = (mail: Mail) => Promise<DeliveryResult>;

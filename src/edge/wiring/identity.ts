// The identity that this installation has towards shops: its key, the files that it publishes, and the signer. Loaded when
// first needed.

import type { Clock } from '../../base/clock.ts';
import { identityKeyFileIn, readKeyFile } from '../../data/secrets.ts';
import { userAgent } from '../../egress/guarded-fetcher.ts';
import { agentCard, keyDirectory, type PublishedFile } from '../../egress/signing/key-directory.ts';
import { signingKeyOf, type SigningKey } from '../../egress/signing/message-signature.ts';
import { createRequestSigner, type RequestSigner } from '../../egress/signing/request-signer.ts';
import type { Config } from '../config.ts';
import { versionText } from '../package-files.ts';

/** Returns the key; null if none was created. Throws if its file cannot be read. */
export function identityKeyOf({ identityKey, databaseUrl, dataDir }: Config): SigningKey | null {
  const stored = () => (databaseUrl === null ? readKeyFile(identityKeyFileIn(dataDir)) : null);
  const seed = identityKey ?? stored();
  return seed === null ? null : signingKeyOf(seed);
}

/** Returns the signer of requests to shops; null without an address or a key. */
export function requestSigner(config: Config, clock: Clock): RequestSigner | null {
  const { identityUrl: origin, signatureForm: form } = config;
  const key = origin === null ? null : identityKeyOf(config);
  return origin === null || key === null ? null : createRequestSigner({ key, origin, form, clock });
}

/**
 * Returns the files that are published at the address of the identity: the key directory, whose signature is valid for this
 * number of days, and the card. Null without an address or a key.
 */
export function identityFiles(
  config: Config,
  { nowMs, days }: { readonly nowMs: number; readonly days: number },
): readonly PublishedFile[] | null {
  const { identityUrl: origin, contact } = config;
  const key = origin === null ? null : identityKeyOf(config);
  if (origin === null || key === null) return null;
  const agent = userAgent(versionText(), contact);
  return [
    keyDirectory({ key, origin, nowMs, days }),
    agentCard({ origin, userAgent: agent, contact }),
  ];
}

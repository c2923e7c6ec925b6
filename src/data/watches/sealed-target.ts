// A channel's target as stored in the database: encrypted, and bound to the channel and its organization.

import type { Target } from '../../rules/channels/channel.ts';
import type { Channel } from '../../rules/channels/stored-channel.ts';
import type { Secrets } from '../secrets.ts';

type Owner = Pick<Channel, 'id' | 'organizationId'>;

/** Throws FaultError `secrets_key_missing` without a key. */
export function sealTarget(secrets: Secrets, owner: Owner, target: Target): string {
  return secrets.seal(aboutOf(owner), JSON.stringify(target));
}

/** Null if it was encrypted with a key not available here. SAFETY: only `sealTarget` creates what opens. */
export function openTarget(
  secrets: Secrets,
  channel: Owner & Pick<Channel, 'sealedTarget'>,
): Target | null {
  const text = secrets.open(aboutOf(channel), channel.sealedTarget);
  return text === null ? null : (JSON.parse(text) as Target);
}

function aboutOf({ id, organizationId }: Owner): string {
  return `channel ${id} of ${organizationId}`;
}

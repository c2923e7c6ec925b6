// The sign-ins to the console with a key, as shown to its holder.

import { z } from 'zod';

import { isoTimestamp } from '../../../base/clock.ts';
import type { Session } from '../../../data/accounts/sessions.ts';
import { text, tokenFields } from '../fields.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });

const ConsoleSession = z
  .strictObject({
    id: z.string().meta({ description: 'The ID of the session.' }),
    user_agent: z.string().meta({
      description: 'The `User-Agent` of the browser when it signed in; empty if it sent none.',
    }),
    created_at: instant('When the browser signed in.'),
    expires_at: instant('When the session ends. It ends earlier if its key does.'),
    last_used: text('The day (UTC) on which it was last used; `null` if it never was.'),
    is_current: z.boolean().meta({ description: 'Whether this call was made with it.' }),
  })
  .meta({ id: 'ConsoleSession' });

export const SessionList = z.strictObject({
  sessions: z.array(ConsoleSession).meta({ description: 'The sessions, newest first.' }),
  ...tokenFields,
});
export type SessionList = z.infer<typeof SessionList>;

export const SessionEnded = z.strictObject({
  ended: z.literal(true).meta({ description: 'Always `true`: the session has ended.' }),
  session_id: z.string().meta({ description: 'The ID of the session.' }),
  ...tokenFields,
});

export function presentSession(session: Session, current: string | null) {
  return {
    id: session.id,
    user_agent: session.userAgent,
    created_at: isoTimestamp(session.createdAtMs),
    expires_at: isoTimestamp(session.expiresAtMs),
    last_used: session.lastUsedDay,
    is_current: session.id === current,
  };
}

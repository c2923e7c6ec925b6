// Sessions of the console (D93), and the codes that begin one. A session is an additional secret of a key: it has the key's
// organization and scopes, and ends at its own time or with the key. What has ended is deleted, so that setting the clock
// back revives nothing.

import { SET_BACK_MS } from '../../base/clock.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { textOrNull } from '../statement-values.ts';

export type Session = {
  /** The public part of its token. */
  readonly id: string;
  readonly keyId: string;
  /** The browser's own name, as it sent it when the session began. */
  readonly userAgent: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Day (UTC) of the last call. */
  readonly lastUsedDay: string | null;
};

type NewSession = Omit<Session, 'keyId' | 'lastUsedDay'> & { readonly secretSha256: string };

type SignInCode = {
  /** SHA-256 of the code, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

/** A key in force, or a session's. `$2` is the present time. */
const IN_FORCE =
  'revoked_at_ms is null and (api_keys.expires_at_ms is null or api_keys.expires_at_ms > $2)';
/** A code in force. One from the future was made by a clock that has been set back since. */
const IS_CODE = `code_sha256 = $1 and sign_in_codes.expires_at_ms > $2 and sign_in_codes.created_at_ms <= $2 + ${SET_BACK_MS}`;

export type Sessions = {
  insertCode(code: SignInCode): Promise<void>;
  /** Returns the name of the organization of a code without using it up; null if it is not in force. */
  findOrganization(sha256: string, nowMs: number): Promise<string | null>;
  /** Begins a session with a key, or with a code, which is used up. Null, and no change, if that is not in force. */
  begin(session: NewSession, by: { code: string } | { keyId: string }): Promise<Session | null>;
  /** Lists a key's sessions, the newest first. */
  list(keyId: string, nowMs: number): Promise<readonly Session[]>;
  /** Deletes what is past its end. */
  sweep(nowMs: number): Promise<void>;
};

export function createSessions(sql: Sql): Sessions {
  return {
    async insertCode({ sha256, keyId, createdAtMs, expiresAtMs }) {
      await sql.write([
        {
          text: `insert into sign_in_codes (code_sha256, key_id, created_at_ms, expires_at_ms) values ($1, $2, $3, $4)`,
          params: [sha256, keyId, createdAtMs, expiresAtMs],
        },
      ]);
    },
    async findOrganization(sha256, nowMs) {
      const [row] = await sql.all(
        `select organizations.name from sign_in_codes join api_keys on api_keys.id = key_id
           join organizations on organizations.id = organization_id where ${IS_CODE} and ${IN_FORCE}`,
        [sha256, nowMs],
      );
      return row === undefined ? null : String(row['name']);
    },
    async begin(session, by) {
      const isCode = 'code' in by;
      const from = isCode
        ? `sign_in_codes join api_keys on api_keys.id = key_id where ${IS_CODE}`
        : 'api_keys where api_keys.id = $1';
      const given = isCode ? by.code : by.keyId;
      const { id, secretSha256, userAgent, createdAtMs, expiresAtMs } = session;
      const insert: Statement = {
        text: `insert into sessions (id, key_id, secret_sha256, user_agent, created_at_ms, expires_at_ms)
          select cast($3 as text), api_keys.id, cast($4 as text), cast($5 as text), cast($2 as bigint),
            case when api_keys.expires_at_ms < $6 then api_keys.expires_at_ms else cast($6 as bigint) end
          from ${from} and ${IN_FORCE} returning *`,
        params: [given, createdAtMs, id, secretSha256, userAgent, expiresAtMs],
        name: 'session',
        mustReturn: true,
      };
      const use: Statement = {
        text: 'delete from sign_in_codes where code_sha256 = $1 returning key_id',
        params: [given],
        mustReturn: true,
      };
      const result = await sql.write(isCode ? [insert, use] : [insert]);
      const row = result.done ? result.rows['session']?.[0] : undefined;
      return row === undefined ? null : toSession(row);
    },
    async list(keyId, nowMs) {
      const rows = await sql.all(
        'select * from sessions where key_id = $1 and expires_at_ms > $2 order by created_at_ms desc, id',
        [keyId, nowMs],
      );
      return rows.map(toSession);
    },
    async sweep(nowMs) {
      await sql.write([
        { text: 'delete from sessions where expires_at_ms <= $1', params: [nowMs] },
        { text: 'delete from sign_in_codes where expires_at_ms <= $1', params: [nowMs] },
      ]);
    },
  };
}

function toSession(row: Row): Session {
  return {
    id: String(row['id']),
    keyId: String(row['key_id']),
    userAgent: String(row['user_agent']),
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: Number(row['expires_at_ms']),
    lastUsedDay: textOrNull(row['last_used_day']),
  };
}

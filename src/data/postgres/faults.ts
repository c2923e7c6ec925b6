// Classifies an error of PostgreSQL, or of the connection to it, for a transaction or a read. The codes are SQLSTATEs.

import { DatabaseError } from 'pg';
import { StoreUnavailable, type WriteProblem } from '../sql.ts';

/**
 * `connection`: the connection is lost, and uncommitted work is rolled back. `contention`: another process interfered; a
 * retry may well succeed. `waited`: a lock was not released within the lock timeout. `unavailable`: the database cannot do
 * it now. `mistake`: the statement is wrong or breaks a constraint.
 */
type FaultKind = 'connection' | 'contention' | 'waited' | 'unavailable' | 'mistake';

/** A statement that was not sent because its parameters do not match it. */
export class UnsentStatement extends Error {
  override readonly name = 'UnsentStatement';
}

/**
 * 25006: the server has become a standby. 25P03, 57P05: it ended an idle session. 57P01 to 57P03: it is stopping or
 * starting. 26000 and 0A000: prepared statements are lost, or older than the schema.
 */
const CONNECTION = /^(?:25006|25P03|57P0[1235]|26000|0A000|08(?!P01)...)$/;
/** Serialization failure, deadlock. */
const CONTENTION = /^(?:40001|40P01)$/;
const NO_ROOM = '53300';
/** A lock was not available in time. */
const WAITED = '55P03';
/** No room, too many connections, a timeout, an I/O error, damaged data; when connecting: no such user or database. */
const UNAVAILABLE = /^(?:53...|57...|58...|XX...|28...|3D000)$/;
/**
 * Severities that end the session, regardless of the code. Poolers use the code 08P01 for everything, while a server uses
 * it for our mistakes.
 */
const LAST_WORDS: readonly (string | undefined)[] = ['FATAL', 'PANIC'];

/** Returns the kind of an error by its code. */
export function faultKindOf(error: Error): FaultKind {
  if (error instanceof UnsentStatement) return 'mistake';
  // An error that is not from the server is about the connection to it.
  if (!(error instanceof DatabaseError)) return 'connection';
  const code = error.code ?? '';
  if (CONNECTION.test(code) || LAST_WORDS.includes(error.severity)) return 'connection';
  if (CONTENTION.test(code)) return 'contention';
  if (code === WAITED) return 'waited';
  return UNAVAILABLE.test(code) ? 'unavailable' : 'mistake';
}

/** Whether the server does not know a prepared statement by its name. */
export function isUnprepared(error: Error): boolean {
  return error instanceof DatabaseError && error.code === '26000';
}

/** Whether the server, or the user's own limit, allows no more connections. A connection error may have this cause too. */
export function hasNoRoom(error: Error): boolean {
  const said = error instanceof StoreUnavailable ? error.cause : error;
  return said instanceof DatabaseError && said.code === NO_ROOM;
}

/** Converts an error for callers of the store. `what` begins the sentence; `help` states the remedy for the operator. */
export function storeErrorOf(error: Error, what: string, help = ''): Error {
  if (error instanceof StoreUnavailable) return error;
  if (faultKindOf(error) === 'mistake') return new Error(error.message, { cause: error });
  const said = `${what}: ${saidBy(error)}`;
  return new StoreUnavailable(help === '' ? said : `${said}. ${help}`, {
    cause: error,
    problem: problemOf(error),
  });
}

/** Returns the error for a failed connection attempt. */
export function connectErrorOf(error: Error): Error {
  return storeErrorOf(error, 'cannot connect to PostgreSQL', helpFor(error));
}

/** The codes with which `node:tls` rejects a certificate. */
const UNPROVEN = /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/;
/** The client's own words if a server answers that it does not encrypt. */
const UNENCRYPTED = /does not support SSL/;

function helpFor(error: Error): string {
  if (!(error instanceof DatabaseError)) {
    if ('code' in error && UNPROVEN.test(String(error.code))) return FOR_UNPROVEN;
    if ('syscall' in error && error.syscall === 'open') return FOR_UNREAD;
    return UNENCRYPTED.test(error.message)
      ? 'Enable TLS on the server (ssl = on), or add sslmode=disable to DATABASE_URL.'
      : 'Start its server, or correct the address in DATABASE_URL.';
  }
  const code = error.code ?? '';
  if (code.startsWith('28')) return 'Correct user and password in DATABASE_URL.';
  if (code === '42501') return 'Let the user in: grant connect on database NAME to USER.';
  if (code === '3D000') return 'Create it with createdb, or correct its name in DATABASE_URL.';
  return code === NO_ROOM
    ? 'Start fewer processes, or raise max_connections of the server or the connection limit of the user.'
    : '';
}

const FOR_UNREAD = 'Correct the file that sslrootcert, sslcert or sslkey names in DATABASE_URL.';
const FOR_UNPROVEN =
  'This machine does not trust its certificate: specify the file of the authority that signed ' +
  'it with sslrootcert=FILE in DATABASE_URL, or encrypt without a check with sslmode=no-verify.';

/**
 * Returns the remedy for the operator if the tables cannot be created, by the error or its code; empty if only the server's
 * message is known. Since PostgreSQL 15 a user may not create tables in the schema `public` of a database that belongs to
 * another user.
 */
export function helpForTables(error: unknown): string {
  switch (error instanceof DatabaseError ? error.code : error) {
    case '42501':
      return (
        'Give the database to the user of DATABASE_URL: alter database NAME owner to USER. Or let that user use the ' +
        'tables that their owner has made: grant select, insert, update, delete on all tables in schema NAME to USER, and grant usage ' +
        'on all sequences in schema NAME to USER.'
      );
    case '3F000':
      return 'Specify an existing schema in the search_path of the user or of the database of DATABASE_URL.';
    case '42P07':
      return 'The tables belong to another program. Use an empty database in DATABASE_URL.';
    default:
      return '';
  }
}

function problemOf(error: Error): WriteProblem {
  if (!(error instanceof DatabaseError)) return 'away';
  const code = error.code ?? '';
  if (code === '53100') return 'full';
  if (code === '25006') return 'read_only';
  if (code === WAITED || CONTENTION.test(code)) return 'locked';
  if (/^(?:08|57P|28|3D)/.test(code)) return 'away';
  if (/^(?:53|57)/.test(code)) return 'overloaded';
  if (code.startsWith('58')) return 'io_error';
  return code.startsWith('XX') ? 'damaged' : 'other';
}

/**
 * Returns the message of an error. A host name with several addresses fails with an error that has a code and no message.
 */
function saidBy(error: Error): string {
  if (error.message !== '') return error.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

// The structured logger: one JSON object a line. Callers never pass it a header or the query of a shop's address, which
// can hold secrets; anything shaped like an API key is removed here.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const KEY_SHAPED = /osk_[A-Za-z0-9_]{6,}/g;

/** Text without anything shaped like an API key. */
export function redact(text: string): string {
  return text.replace(KEY_SHAPED, 'osk_[redacted]');
}

export function createLog(write: (line: string) => void, least: LogLevel = 'info'): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return;
      const entry = { time: new Date().toISOString(), level, message, ...fields };
      write(`${redact(JSON.stringify(entry))}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An unexpected error for the operator: its name, message and first stack lines. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? `${error.name}: ${error.message}`).split('\n').slice(0, 6).join(' | ');
}

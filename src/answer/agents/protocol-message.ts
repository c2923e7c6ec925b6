// Messages of the protocol as clients send them. In languages that write a missing field as null, so do their clients: null
// means absent, as JSON-RPC and the protocol have no other use for it.

/** Fields of fields of `params` are the deepest that the protocol defines: `capabilities.roots`, `_meta.progressToken`. */
const DEPTH = 3;

/** Returns the message without the fields of its parameters, and of a tool's arguments, that are null. */
export function withoutNulls<Message extends object>(message: Message): Message {
  if (!('params' in message)) return message;
  const { params, ...rest } = message;
  // SAFETY: the parameters keep their form, except for fields that are optional or missing either way.
  return (params === null ? rest : { ...message, params: filled(params, DEPTH) }) as Message;
}

function filled(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, filled(field, depth - 1)]),
  );
}

/** The request of a message whose answer says that it is not JSON, or not a message. */
const A_REQUEST =
  'A request has "jsonrpc":"2.0", an id that is a string or an integer, a method, and params that are an object. Arrays of ' +
  'messages are not accepted.';

/** The error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Returns the answer to text that is not JSON. `unit`: what was read, `The line` or `The body`. */
export function notJson(unit: string): object {
  return refusal(PARSE_ERROR, null, `${unit} is not JSON. Send one JSON-RPC message at a time.`);
}

/** Returns the answer to a value that is not a message, with its id if it has one. */
export function notMessage(unit: string, value: unknown): object {
  const given = typeof value === 'object' && value !== null ? value : {};
  const id = 'id' in given && /^(?:string|number)$/.test(typeof given.id) ? given.id : null;
  return refusal(INVALID_REQUEST, id, `${unit} is not a JSON-RPC message. ${A_REQUEST}`);
}

const refusal = (code: number, id: unknown, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

// Messages of the protocol as clients send them. In languages that write a missing field as null, so do their clients: null
// means absent, as JSON-RPC and the protocol have no other use for it. Some clients send a tool's arguments as models write
// them: the text of a JSON object.

/** Fields of fields of `params` are the deepest that the protocol defines: `capabilities.roots`, `_meta.progressToken`. */
const DEPTH = 3;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the message without null members: the fields of its parameters, and a tool's or prompt's arguments. A request has
 * no other members than those of JSON-RPC, and its arguments are an object if they are the text of one.
 */
export function plainMessage(message: object): object {
  const { jsonrpc, id, method, params } = message as Fields;
  if (typeof method !== 'string') {
    return Object.fromEntries(
      Object.entries(message).filter(([name, value]) => name === 'id' || value !== null),
    );
  }
  const isNote = id === null && method.startsWith('notifications/');
  return {
    jsonrpc,
    ...(id === undefined || isNote ? {} : { id }),
    method,
    ...(params === undefined || params === null ? {} : { params: plainParams(method, params) }),
  };
}

function plainParams(method: string, params: unknown): unknown {
  if (!isObject(params)) return params;
  const input = objectIn(params['arguments']);
  const isPrompt = method === 'prompts/get' && isObject(input);
  return filled({ ...params, arguments: isPrompt ? asTexts(input) : input }, DEPTH);
}

/** Arguments as text: an object of JSON is one, and no text at all states none. */
function objectIn(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    const read: unknown = given.trim() === '' ? null : JSON.parse(given);
    return read === null || isObject(read) ? read : given;
  } catch {
    return given;
  }
}

/** The protocol has text alone as arguments of a prompt. */
const asTexts = (input: Fields): Fields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      /^(?:number|boolean)$/.test(typeof value) ? String(value) : value,
    ]),
  );

function filled(value: unknown, depth: number): unknown {
  if (depth === 0 || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
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
const INVALID_PARAMS = -32_602;

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

/** What a call of a tool or a prompt has in `params`. */
const CALLS: Readonly<Record<string, string>> = { 'tools/call': 'tool', 'prompts/get': 'prompt' };

/** Returns the answer to a message whose parameters do not have the form of a call; null if they do. */
export function notCall(message: object): object | null {
  const { id, method, params = {} } = message as Fields;
  const kind = CALLS[String(method)];
  if (kind === undefined || id === undefined || !isObject(params)) return null;
  const { name, arguments: input = {} } = params;
  if (typeof name !== 'string') {
    const why = `params.name is not the name of a ${kind}; ${kind}s/list returns the names.`;
    return refusal(INVALID_PARAMS, id, why);
  }
  if (isObject(input)) return null;
  const why = `params.arguments is not an object; ${kind}s/list returns the arguments of ${name.slice(0, 64)}.`;
  return refusal(INVALID_PARAMS, id, why);
}

const refusal = (code: number, id: unknown, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

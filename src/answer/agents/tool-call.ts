// Answers a tool call message as the MCP server does, without creating one: creating a server and its streams for each call
// took ten times as long as the tool's own work. Any other message is left to the server.

import { messageOf } from '../../base/fault.ts';
import { TAUGHT_TOOLS } from './mcp-server.ts';
import type { Tool, ToolParts } from './tool-answer.ts';

/** The message fields that are read. */
type Message = {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
};

type ToolCall = {
  readonly id: string | number;
  readonly name: string;
  readonly input: unknown;
};

/** The answer to the message, and whether it says that the call was refused. */
type ToolAnswer = { readonly message: object; readonly isRefused: boolean };

/** JSON-RPC error codes. */
const INVALID_PARAMS = -32_602;
/** Maximum characters of a tool's name that are shown. */
const SHOWN_NAME = 64;

/** Parses the tool call; null if the message is anything else, or asks for more than an answer. */
export function toolCallIn({ jsonrpc, id, method, params }: Message): ToolCall | null {
  if (jsonrpc !== '2.0' || method !== 'tools/call') return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (typeof params !== 'object' || params === null) return null;
  const { name, arguments: input = {}, ...more } = params as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || Object.keys(more).length > 0) return null;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  return { id: id as string | number, name, input };
}

/** Runs the tool. Never rejects: any error becomes an answer to the agent. */
export async function answerToolCall(
  parts: ToolParts,
  { id, name, input }: ToolCall,
): Promise<ToolAnswer> {
  const found = TAUGHT_TOOLS.find(({ tool }) => tool.name === name);
  if (found === undefined) {
    const error = {
      code: INVALID_PARAMS,
      message: `Tool ${name.slice(0, SHOWN_NAME)} not found`,
    };
    return { message: { jsonrpc: '2.0', id, error }, isRefused: true };
  }
  const result = await resultOf(parts, found, input);
  return { message: { result, jsonrpc: '2.0', id }, isRefused: result.isError === true };
}

async function resultOf(
  parts: ToolParts,
  { tool, inputSchema }: (typeof TAUGHT_TOOLS)[number],
  input: unknown,
): Promise<Awaited<ReturnType<Tool['run']>>> {
  try {
    const read = await inputSchema['~standard'].validate(input);
    if (read.issues === undefined) return await tool.run(parts, read.value);
    const why = read.issues.map(({ message }) => message).join(' ');
    return toolError(`Input validation error: Invalid arguments for tool ${tool.name}: ${why}`);
  } catch (error) {
    return toolError(messageOf(error));
  }
}

const toolError = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  isError: true,
});

// The error responses of a route in the OpenAPI document. They are made from the fault codes that the route can answer
// with.

import type { z } from '@hono/zod-openapi';

import { FAULT_CODES, type FaultCode } from '../../base/fault.ts';
import { Problem } from '../../answer/wire/problem.ts';
import { FAULT_STATUS } from '../problems/fault-status.ts';

type ProblemResponse = {
  description: string;
  content: {
    'application/problem+json': {
      schema: typeof Problem;
      examples: Record<string, { $ref: string }>;
    };
  };
};

/** One response for each status; its description lists the codes. `document.ts` adds the examples. */
export function faultResponses(codes: readonly FaultCode[]): Record<string, ProblemResponse> {
  const byStatus = new Map<number, FaultCode[]>();
  for (const code of FAULT_CODES.filter((each) => codes.includes(each))) {
    const status = FAULT_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/problem+json': {
            schema: Problem,
            examples: Object.fromEntries(
              some.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** A 200 of JSON. */
export function jsonResponse<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

// What the schemas found wrong -> the one fault a caller sees (D22): a name that does not exist, a name
// given twice, a value that does not fit.

import type { Fault } from '../core/fault.ts';
import { nearestName } from '../core/nearest-name.ts';

/** The part of a schema issue that is used; zod's own type is wider. */
export type SchemaIssue = {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly params?: Readonly<Record<string, unknown>> | undefined;
};

/** The first issue as a fault; `given` are the values of each name, `known` the parameters that the route takes. */
export function faultOfIssues(
  issues: readonly SchemaIssue[],
  given: Readonly<Record<string, readonly string[]>>,
  known: readonly string[],
): Fault {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  const name = unknown?.keys?.[0];
  if (name !== undefined) return unknownParameter(name, known);
  const issue = issues[0];
  const parameter = String(issue?.path[0] ?? '');
  if ((given[parameter] ?? []).length > 1) {
    return {
      code: 'invalid_parameter',
      parameter,
      detail: `"${parameter}" is given twice: send it once.`,
    };
  }
  if (given[parameter] === undefined) {
    return {
      code: 'invalid_parameter',
      parameter,
      detail: `"${parameter}" is missing: this route needs it.`,
    };
  }
  return notAccepted(parameter, issue);
}

/** The first issue with a header; a header is a parameter by its name. */
export function faultOfHeader(issues: readonly SchemaIssue[]): Fault {
  const issue = issues[0];
  return notAccepted(String(issue?.path[0] ?? ''), issue);
}

function notAccepted(parameter: string, issue: SchemaIssue | undefined): Fault {
  const allowed = issue?.params?.['allowed'];
  const list = Array.isArray(allowed) ? allowed.map(String) : undefined;
  return {
    code: 'invalid_parameter',
    parameter,
    ...(list === undefined ? {} : { allowed: list }),
    detail:
      `"${parameter}" has a value that is not accepted` +
      (list === undefined
        ? `: ${issue?.message ?? 'see the reference'}.`
        : `: send ${list.join(', ')}.`),
  };
}

function unknownParameter(name: string, known: readonly string[]): Fault {
  const shown = name.slice(0, 64);
  const near = nearestName(name, known);
  const hint =
    near === null
      ? known.length === 0
        ? 'This route takes none.'
        : `This route takes ${known.join(', ')}.`
      : `Did you mean "${near}"?`;
  return {
    code: 'unknown_parameter',
    parameter: shown,
    allowed: known,
    detail: `"${shown}" is no parameter of this route. ${hint}`,
  };
}

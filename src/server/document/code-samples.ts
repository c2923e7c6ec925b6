// Shows how to make a recorded call with curl, with the TypeScript client and with plain Python. The samples run unchanged,
// with the service's address in BASE and a key in KEY.

export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

type SampledCall = {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly contentType: string | null;
  readonly body: string | null;
};

export type SampledOperation = {
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly needsKey: boolean;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly schema?: { readonly type?: unknown };
  }[];
};

/** Returns a sample for each of the three, in the format of the OpenAPI extension `x-codeSamples`. */
export function codeSamples(operation: SampledOperation, call: SampledCall): readonly CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation, call) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(operation, call) },
    { lang: 'Python', label: 'Python', source: python(operation, call) },
  ];
}

const NDJSON = 'application/x-ndjson';

function curl({ needsKey }: SampledOperation, { method, path, contentType, body }: SampledCall) {
  const verb = method === 'GET' ? [] : [`-X ${method}`];
  const key = needsKey ? ['-H "Authorization: Bearer $KEY"'] : [];
  const type = body === null ? [] : [`-H "Content-Type: ${contentType ?? 'application/json'}"`];
  // Within double quotes a shell interprets these four characters, within single quotes none.
  const address = `"$BASE${path.replaceAll(/["$`\\]/g, (sign) => `\\${sign}`)}"`;
  const data = body === null ? [] : [`--data-binary '${body.replaceAll("'", String.raw`'\''`)}'`];
  return ['curl', ...verb, ...key, ...type, ...data, address].join(' ');
}

function typescript(operation: SampledOperation, call: SampledCall): string {
  const { method, path, contentType, body } = call;
  const { template, needsKey } = operation;
  const key = needsKey ? ', apiKey: env.KEY' : '';
  const before = [
    "import { env } from 'node:process';",
    "import { createOpenshelf } from 'openshelf-client';",
    '',
    `const client = createOpenshelf({ baseUrl: env.BASE ?? ''${key} });`,
  ];
  if (contentType === NDJSON) {
    const lines = (body ?? '').split('\n').filter((line) => line !== '');
    const list = lines.map((line) => `  ${line},`);
    return [
      ...before,
      'const lines = [',
      ...list,
      '];',
      'for await (const answer of client.batch(lines)) console.log(answer);',
    ].join('\n');
  }
  const params = paramsOf(operation, path);
  const parts = [
    ...(params === null ? [] : [`  params: ${params},`]),
    ...(body === null ? [] : [`  body: ${body},`]),
  ];
  const init = parts.length === 0 ? '' : `, {\n${parts.join('\n')}\n}`;
  return [
    ...before,
    `const { data } = await client.routes.${method}('${template}'${init});`,
    'console.log(data);',
  ].join('\n');
}

/** Returns the parameters of the client's call as source text; null if the call has none. */
function paramsOf({ template, parameters }: SampledOperation, path: string): string | null {
  const [at = '', search = ''] = path.split('?');
  const sent = at.split('/');
  const inPath = template.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, decodeURIComponent(sent[index] ?? '')] as const];
  });
  const inQuery = [...new URLSearchParams(search)].map(([name, text]) => {
    const type = parameters.find((each) => each.in === 'query' && each.name === name)?.schema?.type;
    return [name, valueOf(type, text)] as const;
  });
  const fields = [
    ...(inPath.length === 0 ? [] : [`path: ${literal(inPath)}`]),
    ...(inQuery.length === 0 ? [] : [`query: ${literal(inQuery)}`]),
  ];
  return fields.length === 0 ? null : `{ ${fields.join(', ')} }`;
}

function valueOf(type: unknown, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true' || text === '1';
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

function literal(entries: readonly (readonly [string, unknown])[]): string {
  return `{ ${entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')} }`;
}

/** A text in JSON is the same text in Python. */
function python({ needsKey }: SampledOperation, { method, path, contentType, body }: SampledCall) {
  const headers = [
    ...(needsKey ? ['"Authorization": "Bearer " + os.environ["KEY"]'] : []),
    ...(body === null ? [] : [`"Content-Type": "${contentType ?? 'application/json'}"`]),
  ];
  const parts = [
    `    os.environ["BASE"] + ${JSON.stringify(path)},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === null ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
  ];
  const printing =
    contentType === NDJSON
      ? ['    for line in answer:', '        print(json.loads(line))']
      : ['    print(json.load(answer))'];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    ...parts,
    ')',
    'with urllib.request.urlopen(request) as answer:',
    ...printing,
  ].join('\n');
}

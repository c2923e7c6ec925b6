// What each route takes, by name: errors suggest the right name from it. Read from the document of the routes.

import { METHODS, type openApiDocument } from '../document/document.ts';

export type KnownNames = {
  /** The parameters in the query of the path, whatever the method. */
  readonly parameters: readonly string[];
  /** The fields of the JSON body; none where the route takes none. */
  readonly fields: readonly string[];
};

const NONE: KnownNames = { parameters: [], fields: [] };

type Document = ReturnType<typeof openApiDocument>;
type PathItem = NonNullable<Document['paths']>[string];
type Operation = NonNullable<PathItem['get']>;

/** Makes the function that finds the names of a route by its method and its path, as `/v1/watches/:id`. */
export function namesOf(document: Document): (method: string, path: string) => KnownNames {
  const known = new Map<string, KnownNames>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const routePath = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const parameters = METHODS.flatMap((method) => queryOf(item[method]));
    for (const method of METHODS) {
      const fields = fieldsOf(document, item[method]);
      known.set(`${method.toUpperCase()} ${routePath}`, { parameters, fields });
    }
  }
  return (method, path) => known.get(`${method === 'HEAD' ? 'GET' : method} ${path}`) ?? NONE;
}

function queryOf(operation: Operation | undefined): readonly string[] {
  const all = (operation?.parameters ?? []) as readonly { in?: string; name?: string }[];
  return all.filter((each) => each.in === 'query').map((each) => each.name ?? '');
}

function fieldsOf({ components }: Document, operation: Operation | undefined): readonly string[] {
  const body = operation?.requestBody;
  if (body === undefined || !('content' in body)) return [];
  const schema = body.content['application/json']?.schema ?? {};
  const named = '$ref' in schema ? /[^/]+$/.exec(schema.$ref)?.[0] : undefined;
  const whole = named === undefined ? schema : (components?.schemas?.[named] ?? {});
  return 'properties' in whole ? Object.keys(whole.properties ?? {}) : [];
}

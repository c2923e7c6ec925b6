// Reading an OpenAPI document in tests: references resolved, every parameter and property listed with its path.

export type Json = Readonly<Record<string, unknown>>;

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Json;
};

type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Json>>;
  readonly content: Readonly<Record<string, { schema: Json; examples?: Record<string, Json> }>>;
};

/** Returns the object itself, or what its `$ref` points to. */
export function resolved(document: Json, value: Json): Json {
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], document);
  return found as Json;
}

/** Returns every operation, with its references to parameters and headers resolved. */
export function operationsOf(document: Json): readonly Operation[] {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const parameters = operation.parameters.map(
        (each) => resolved(document, each) as unknown as Parameter,
      );
      const responses = Object.entries(operation.responses).map(([status, response]) => {
        const headers = Object.entries(response.headers).map(
          ([name, header]) => [name, resolved(document, header)] as const,
        );
        // An answer to HEAD has no content.
        const { content = {} } = response as Partial<Response>;
        return [status, { ...response, content, headers: Object.fromEntries(headers) }] as const;
      });
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters,
        responses: Object.fromEntries(responses),
      };
    }),
  );
}

/** Returns every property below a schema with its path, including arrays and alternatives; references are not followed. */
export function propertiesOf(schema: Json, way: string): readonly (readonly [string, Json])[] {
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(
    ([name, value]) => [
      [`${way}.${name}`, value] as const,
      ...propertiesOf(value, `${way}.${name}`),
    ],
  );
  const inside = (['items', 'additionalProperties', 'contains'] as const).flatMap((key) => {
    const value = schema[key];
    return typeof value === 'object' && value !== null
      ? propertiesOf(value as Json, `${way}[]`)
      : [];
  });
  const choices = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((key) =>
    ((schema[key] ?? []) as readonly Json[]).flatMap((each) => propertiesOf(each, way)),
  );
  return [...own, ...inside, ...choices];
}

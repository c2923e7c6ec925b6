// Chooses the media type of an answer that a client accepts (RFC 9110 12.5.1).

type Range = { readonly type: string; readonly weight: number };

/** Returns the type that an `Accept` header prefers, the first of equals; null if it admits none. Without a header any will do. */
export function mediaFor<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | null {
  const ranges = rangesOf(accept ?? '');
  if (ranges.length === 0) return types[0] ?? null;
  const most = Math.max(...types.map((type) => weightOf(type, ranges)));
  return most > 0 ? (types.find((type) => weightOf(type, ranges) === most) ?? null) : null;
}

function rangesOf(accept: string): readonly Range[] {
  return accept
    .slice(0, 1_000)
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
      return { type, weight: Number(weight) || 0 };
    })
    .filter(({ type }) => type !== '');
}

/** The weight of the most specific range that the type is in. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const forms = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const found = forms.map((form) => ranges.find((range) => range.type === form));
  return found.find((range) => range !== undefined)?.weight ?? 0;
}

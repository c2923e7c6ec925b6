// How deep a JSON text nests, seen from its characters alone: asked before anything parses it.

/** Whether brackets outside of strings nest at most `limit` deep: asked before anything recursive runs. */
export function isShallow(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) {
      inString = true;
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > limit) return false;
    } else if (code === 125 || code === 93) {
      depth -= 1;
    }
  }
  return true;
}

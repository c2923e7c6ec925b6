// Exits with code 0 if the local service answers: `node deploy/healthy.js [readyz|livez]`. The image has no curl.

const path = process.argv[2] ?? 'readyz';
// As the service reads it: empty is the default.
const port = process.env.PORT?.trim() || 8790;
const url = `http://127.0.0.1:${port}/${path}`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`${url}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

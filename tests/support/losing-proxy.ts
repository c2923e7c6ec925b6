// A proxy to a service that loses answers, as any network does. It forwards each answer or not, as the test states.

import { standIn } from './stand-in.ts';

/** `lost`: nothing of it arrives; `cut`: its head and half of its body; `bad gateway`: the proxy's own 502 in its place. */
export type Fate = 'sent' | 'lost' | 'cut' | 'bad gateway';

/** Starts the proxy. A fate applies after the service has sent the answer. Answers beyond the last fate are forwarded. */
export async function startLosingProxy(target: string, fates: readonly Fate[]) {
  return standIn((request, response, call, body) => {
    const { method = 'GET', url = '', headers } = request;
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      /^(?:authorization|idempotency-key|content-type)$/.test(name) ? [[name, String(value)]] : [],
    );
    const init = { method, headers: Object.fromEntries(sent) as Record<string, string> };
    const pass = async () => {
      const answer = await fetch(`${target}${url}`, body === '' ? init : { ...init, body });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const fate = fates[call - 1] ?? 'sent';
      if (fate === 'lost') return request.socket.destroy();
      if (fate === 'bad gateway') {
        return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      }
      const headers = Object.fromEntries(answer.headers);
      for (const name of ['content-encoding', 'transfer-encoding', 'connection'])
        delete headers[name];
      const length = method === 'HEAD' ? (headers['content-length'] ?? '0') : String(bytes.length);
      response.writeHead(answer.status, { ...headers, 'content-length': length });
      if (fate === 'sent') return response.end(bytes);
      return response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    };
    pass().catch(() => request.socket.destroy());
  });
}

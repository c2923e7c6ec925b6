// Joins the API with its framework, for the gate to call. This is the largest part that a start loads, so it is loaded
// while the process already listens.

import { getRequestListener } from '@hono/node-server';

import { createApi, createHealthApi, type ApiParts } from './api.ts';
import type { Api } from './context.ts';
import type { Framework } from './door/gate.ts';
import { patternOf } from './request-names.ts';
import { createMetricsApi } from './routes/installation/metrics.ts';

/** `answersApi` false: health and metrics only. */
export function createFramework(parts: ApiParts, answersApi: boolean): Framework {
  return frameworkOf(answersApi ? createApi(parts) : createHealthApi(parts));
}

/** For an address that answers metrics alone. */
export function createMetricsFramework(text: () => Promise<string>): Framework {
  return frameworkOf(createMetricsApi(text));
}

export function frameworkOf(api: Api): Framework {
  return {
    answer: ({ request, response }, bindings, { done, unreadable }) => {
      let isAsked = false;
      const ask = (asked: Request, env: object) => {
        isAsked = true;
        const answered = Promise.resolve(api.fetch(asked, { ...env, ...bindings }));
        answered.then(done, done);
        return answered;
      };
      const errorHandler = () => {
        if (isAsked) return new Response(null, { status: 500 });
        // The request has another scheme, or a host that is no host: the API is never asked, and nothing is sent here.
        unreadable();
        done();
        return undefined;
      };
      void getRequestListener(ask, { errorHandler })(request, response);
    },
    routeOf: (method, path) => {
      const [matched] = api.router.match(method, path);
      return patternOf(matched.map(([[, each]]) => each));
    },
  };
}

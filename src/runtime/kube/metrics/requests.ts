import type { ObservedRequest, RequestObserver } from '../observers';
import type { ProgramMetrics } from './program-metrics';

/** Labels of a request. Names of objects are placeholders, so that their number does not grow with the objects. */
export interface RequestLabels {
  readonly resource: string;
  readonly verb: string;
  readonly url: string;
}

const VERBS: Readonly<Record<string, string>> = { PUT: 'UPDATE', POST: 'CREATE', PATCH: 'PATCH', DELETE: 'DELETE' };
const NAME = '[^/]+';
/** `/api/v1` or `/apis/group/version`, an optional namespace, the resource, and an optional name and subresource. */
const PATH = new RegExp(
  `^(/api/${NAME}|/apis/${NAME}/${NAME})(/namespaces/${NAME}(?=/${NAME}))?/([a-z0-9.-]+)(/${NAME})?(/[a-z0-9/-]+)?$`,
);
/** Subresources of a namespace, which look like collections in it. */
const OF_NAMESPACES = new Set(['status', 'finalize']);

/** Returns the labels of a request. Pure. */
export function labelsOf({ method, path, isWatch, host }: ObservedRequest): RequestLabels {
  const match = PATH.exec(path);
  if (!match) return { resource: 'none', verb: 'none', url: `${host}/{other}` };
  const [, group, namespace, plural, name, more = ''] = match;
  const isOfNamespace = namespace !== undefined && OF_NAMESPACES.has(plural!);
  const resource = isOfNamespace ? 'namespaces' : plural!;
  const reads = isWatch ? 'WATCH' : name === undefined && !isOfNamespace ? 'LIST' : 'GET';
  const url = [
    `${host}${group}`,
    isOfNamespace ? `/namespaces/{name}/${plural}` : `${namespace ? '/namespaces/{namespace}' : ''}/${plural}`,
    name === undefined ? '' : '/{name}',
    more,
  ].join('');
  return { resource, verb: method === 'GET' ? reads : (VERBS[method] ?? method), url };
}

/** Reports the requests of clients. */
export function requestMetrics(metrics: ProgramMetrics): RequestObserver {
  const total = metrics.counter('kubevirt_rest_client_requests_total');
  const latency = metrics.histogram('kubevirt_rest_client_request_latency_seconds');
  const limited = metrics.histogram('kubevirt_rest_client_rate_limiter_duration_seconds');
  return {
    answered: (request, code, seconds) => {
      const { resource, verb, url } = labelsOf(request);
      const { method, host } = request;
      total.inc({ code: code === undefined ? '<error>' : String(code), method, host, resource, verb });
      latency.observe({ verb, url }, seconds);
    },
    waited: (request, seconds) => {
      const { verb, url } = labelsOf(request);
      limited.observe({ verb, url }, seconds);
    },
  };
}

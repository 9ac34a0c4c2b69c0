import { errors } from '../errors';
import { Context } from './context';
import { Route } from './dispatcher';
import { clauses } from './negotiate';
import { notAcceptable, sendBody, sendText } from './responder';
import { versionInfo } from './version';

const HEALTH = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** Parts of the server that its health covers, by Kubernetes' names. They are complete before the server listens. */
const CHECKS = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/bootstrap-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
];

/** Serves health and version. */
export class HealthRoute implements Route {
  public async serve({ info, request, response }: Context): Promise<boolean> {
    const [, endpoint, check] = HEALTH.exec(info.path) ?? [];
    if (endpoint) {
      const checks = endpoint === 'readyz' ? [...CHECKS, 'informer-sync', 'shutdown'] : CHECKS;
      if (check !== undefined && !checks.includes(check)) return false;
      const verbose = check === undefined && info.query.has('verbose');
      sendText(response, 200, verbose ? report(endpoint, checks, info.query.getAll('exclude')) : 'ok');
      return true;
    }
    if (!/^\/version\/?$/.test(info.path)) return false;
    if (request.method !== 'GET') throw errors.methodNotAllowed();
    const accepted = clauses(request.headers.accept);
    const takesJson = ({ type }: { type: string }) => ['application/json', 'application/*', '*/*'].includes(type);
    if (accepted.length && !accepted.some(takesJson)) throw notAcceptable(unacceptable(['application/json']), {});
    sendBody(response, 200, JSON.stringify(versionInfo, null, 2));
    return true;
  }
}

function report(endpoint: string, checks: readonly string[], excluded: readonly string[]): string {
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}`);
  const unknown = excluded.filter((name) => !checks.includes(name)).map((name) => JSON.stringify(name));
  if (unknown.length) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  }
  return `${lines.join('\n')}\n${endpoint} check passed\n`;
}

/** Message of the router that serves discovery and the version. */
export const unacceptable = (types: readonly string[]): string =>
  `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;

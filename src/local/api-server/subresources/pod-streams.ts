import { errorText } from '../../../api/error-text';
import { errors, StatusError } from '../errors';
import { Context, Upgrade } from '../http/context';
import { Route } from '../http/dispatcher';
import { Subresource } from '../http/resources';
import { RequestInfo } from '../http/request-info';
import { kubeletPeer, requireNode } from '../network/kubelet';
import { forward, forwardedHeaders, tunnel, proxyTimeouts } from '../network/proxy';
import { Store } from '../store/store';
import { AnyObject, KeyPair } from '../types';

const STREAMS = ['exec', 'attach', 'portforward'];

export interface KubeletAccess {
  readonly store: Store;
  readonly client: KeyPair;
  readonly ca: string;
}

function podOf(store: Store, info: Pick<RequestInfo, 'namespace' | 'name'>): AnyObject {
  const pod = store.get({ resource: '/pods', namespace: info.namespace, name: info.name });
  if (!pod) throw errors.notFound({ group: '', resource: 'pods' }, info.name);
  return pod;
}

/** Selected container. @throws StatusError 400 if the Pod lacks it */
function containerOf(pod: AnyObject, query: URLSearchParams): string {
  const names = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    ((pod.spec?.[list] ?? []) as { name: string }[]).map((container) => container.name),
  );
  const asked = query.get('container');
  const { name } = pod.metadata;
  if (asked) {
    if (names.includes(asked)) return asked;
    throw errors.badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const main: { name: string }[] = pod.spec?.containers ?? [];
  if (main.length === 1) return main[0].name;
  const byDefault = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (byDefault && names.includes(byDefault)) return byDefault;
  const init: { name: string }[] = pod.spec?.initContainers ?? [];
  const initText = init.length ? ` or one of the init containers: [${init.map((item) => item.name).join(' ')}]` : '';
  throw errors.badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${main.map((item) => item.name).join(' ')}]${initText}`,
  );
}

/** `kubectl logs`: streamed from the node's kubelet. */
export function podLog({ store, client, ca }: KubeletAccess): Subresource {
  return {
    verbs: ['get'],
    async serve({ request, response, info }: Context) {
      const pod = podOf(store, info);
      const container = containerOf(pod, info.query);
      if (!pod.spec?.nodeName) {
        // No container has run yet: return an empty log, as Kubernetes does.
        response.writeHead(200, { 'Content-Type': 'text/plain' });
        response.end();
        return;
      }
      const peer = kubeletPeer(store, requireNode(pod), client, ca);
      const query = new URLSearchParams(info.query);
      query.delete('container');
      const text = query.toString();
      const path = `/containerLogs/${info.namespace}/${info.name}/${container}${text ? `?${text}` : ''}`;
      try {
        await forward(request, response, peer, path, forwardedHeaders(request.headers, {}), {
          ...proxyTimeouts,
          refused,
        });
      } catch (error) {
        if (error instanceof StatusError) throw error;
        throw unreachable(peer, path, error);
      }
    },
  };
}

/** Error of the kubelet as a Status. */
const refused = (code: number, text: string): StatusError =>
  code === 400 ? errors.badRequest(text) : errors.internal(text);

/** Rejects exec, attach and portforward without an upgrade. */
export const podStream = ({ store }: KubeletAccess): Subresource => ({
  verbs: ['get', 'create'],
  serve({ info }: Context) {
    requireNode(podOf(store, info));
    throw errors.badRequest('Upgrade request required');
  },
});

/** Serves exec, attach and portforward: forwards the connection to the kubelet in any protocol. */
export class PodStreams implements Route {
  public constructor(private readonly access: KubeletAccess) {}

  public async serve(): Promise<boolean> {
    return false;
  }

  public async upgrade({ request, socket, head, info }: Upgrade): Promise<boolean> {
    if (info.group || info.resource !== 'pods' || !STREAMS.includes(info.subresource)) return false;
    const { store, client, ca } = this.access;
    const pod = podOf(store, info);
    const peer = kubeletPeer(store, requireNode(pod), client, ca);
    const path = streamPath(pod, info);
    const headers = forwardedHeaders(request.headers, {});
    try {
      await tunnel(request, socket, head, peer, path, headers);
    } catch (error) {
      throw unreachable(peer, path, error);
    }
    return true;
  }
}

/** The kubelet's path: the container in the path, the switches as 1. */
function streamPath(pod: AnyObject, info: RequestInfo): string {
  if (info.subresource === 'portforward') {
    const ports = info.query.getAll('ports').flatMap((text) => text.split(','));
    const query = ports.map((port) => `port=${encodeURIComponent(port)}`).join('&');
    return `/portForward/${info.namespace}/${info.name}${query ? `?${query}` : ''}`;
  }
  const container = containerOf(pod, info.query);
  const query = new URLSearchParams();
  for (const [name, param] of [
    ['stdin', 'input'],
    ['stdout', 'output'],
    ['stderr', 'error'],
    ['tty', 'tty'],
  ]) {
    const value = info.query.get(name);
    if (value === 'true' || value === '1') query.set(param, '1');
  }
  for (const word of info.query.getAll('command')) query.append('command', word);
  return `/${info.subresource}/${info.namespace}/${info.name}/${container}?${query}`;
}

function unreachable(peer: { host: string; port: number }, path: string, error: unknown): Error {
  const why = errorText(error);
  return errors.internal(`error dialing backend: https://${peer.host}:${peer.port}${path.split('?')[0]}: ${why}`);
}

import { certificateNames } from '../../../api/certificates';
import { keys } from '../../../api/keys';
import * as https from 'node:https';
import type { PeerCertificate } from 'node:tls';
import type { IncomingMessage } from 'node:http';
import type { VirtualMachineInstance } from '../../../api';
import { readBody, resources } from '../../kube';
import type { ChangingFiles, KubeClient } from '../../kube';
import { internalError, Refusal } from '../status';

/** Annotation on the Node with the address that virt-handler listens on: `host:port`. */
export const HANDLER_ENDPOINT = keys.handlerEndpoint;

/** Our certificate for handlers, and the authority of theirs. PEM. */
export interface HandlerTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const TIMEOUT_MS = 10_000;
/** Limit for guests' reports: file systems and users of one guest. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A handler waits up to 15 s for a guest's port. */
const UPGRADE_TIMEOUT_MS = 20_000;

/** The handler of the node on which a VMI runs. Guests are reached only through it, never by an address that a guest reported. */
export class HandlerClient {
  private agent?: { readonly tls: HandlerTls; readonly agent: https.Agent };

  public constructor(
    private readonly client: KubeClient,
    private readonly tls: Pick<ChangingFiles<HandlerTls>, 'get'>,
  ) {}

  /** Sends a PUT (actions) or GET (guest agent's data); returns the handler's body, throws its error. */
  public async call(
    method: 'GET' | 'PUT',
    vmi: VirtualMachineInstance,
    action: string,
    body?: string,
  ): Promise<string> {
    const response = await this.open(vmi, action, { method, body });
    const text = await readBody(response, MAX_ANSWER_BYTES);
    if (response.statusCode === 200 || response.statusCode === 202) return text;
    throw refusalOf(response.statusCode ?? 502, text, vmi);
  }

  /** Sends a request; the caller reads the response's body. */
  private open(
    vmi: VirtualMachineInstance,
    action: string,
    { method, body }: { method: string; body?: string },
  ): Promise<IncomingMessage> {
    return this.endpoint(vmi).then(
      ({ host, port }) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const fail = (error: Error): void => reject(this.unreachable(vmi, error));
          const request = https.request(
            {
              method,
              host,
              port,
              path: pathOf(vmi, action),
              agent: this.connections(),
              headers: body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } : {},
            },
            resolve,
          );
          request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error(`no answer for ${TIMEOUT_MS / 1000} s`)));
          request.on('error', fail);
          request.end(body);
        }),
    );
  }

  /**
   * Opens a websocket with the user's own handshake. After the upgrade, the two TCP streams are connected: frames,
   * back-pressure and close codes pass unchanged.
   */
  public async upgrade(
    vmi: VirtualMachineInstance,
    action: string,
    handshake: Record<string, string>,
  ): Promise<{ response: IncomingMessage; socket: import('node:stream').Duplex; head: Buffer }> {
    const { host, port } = await this.endpoint(vmi);
    return new Promise((resolve, reject) => {
      const request = https.request({
        method: 'GET',
        host,
        port,
        path: pathOf(vmi, action),
        agent: this.connections(),
        headers: { ...handshake, Connection: 'Upgrade', Upgrade: 'websocket' },
      });
      request.setTimeout(UPGRADE_TIMEOUT_MS, () =>
        request.destroy(new Error(`no answer for ${UPGRADE_TIMEOUT_MS / 1000} s`)),
      );
      request.on('error', (error) => reject(this.unreachable(vmi, error)));
      request.on('upgrade', (response, socket, head) => {
        socket.removeAllListeners('timeout');
        (socket as import('node:net').Socket).setTimeout(0);
        resolve({ response, socket, head });
      });
      request.on('response', (response) => {
        readBody(response, MAX_ANSWER_BYTES).then(
          (text) => reject(refusalOf(response.statusCode ?? 502, text, vmi)),
          reject,
        );
      });
      request.end();
    });
  }

  /** Connections that present our current certificate; open connections are kept. */
  private connections(): https.Agent {
    const tls = this.tls.get();
    if (this.agent?.tls !== tls) {
      // connections are not kept alive: actions are rare, and one that a restarted handler has dropped would fail them
      const checkServerIdentity = (_host: string, certificate: PeerCertificate) => handlerProblem(certificate);
      this.agent = { tls, agent: new https.Agent({ ...tls, checkServerIdentity, keepAlive: false }) };
    }
    return this.agent.agent;
  }

  private async endpoint(vmi: VirtualMachineInstance): Promise<{ host: string; port: number }> {
    const nodeName = vmi.status?.nodeName;
    if (!nodeName) {
      throw internalError(
        `VirtualMachineInstance "${vmi.metadata.name}" is not on a node`,
        'wait until virt-handler has reported it',
      );
    }
    const node = await this.client.find(resources.nodes, { name: nodeName });
    const endpoint = parseEndpoint(node?.metadata.annotations?.[HANDLER_ENDPOINT]);
    if (endpoint) return endpoint;
    throw internalError(
      `node "${nodeName}" does not publish the address of its virt-handler (annotation ${HANDLER_ENDPOINT})`,
      'check that virt-handler runs on that node',
    );
  }

  private unreachable(vmi: VirtualMachineInstance, error: Error): Refusal {
    return new Refusal(
      503,
      'ServiceUnavailable',
      `cannot reach virt-handler on node "${vmi.status?.nodeName}": ${error.message}`,
      {},
      'check that virt-handler runs on that node and that its certificate is valid',
    );
  }
}

/** Returns why a certificate of the right authority is not a handler's. Its address is not checked, because it has none. */
export function handlerProblem({ subject }: Pick<PeerCertificate, 'subject'>): Error | undefined {
  const name = subject?.CN as string | string[] | undefined;
  if (name === certificateNames.handlerServer) return undefined;
  return new Error(`its certificate has the common name "${name}", but must have "${certificateNames.handlerServer}"`);
}

/** `host:port` or `[v6]:port`. */
export function parseEndpoint(text: string | undefined): { host: string; port: number } | undefined {
  const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text ?? '') ?? [];
  const number = Number(port);
  return (v6 || name) && number > 0 && number < 65536 ? { host: v6 ?? name, port: number } : undefined;
}

const pathOf = (vmi: VirtualMachineInstance, action: string): string =>
  `/v1/namespaces/${encodeURIComponent(vmi.metadata.namespace ?? '')}/virtualmachineinstances/` +
  `${encodeURIComponent(vmi.metadata.name ?? '')}/${action}`;

/** Parses a handler's error, which is a `Status` or text. */
function refusalOf(code: number, text: string, vmi: VirtualMachineInstance): Refusal {
  try {
    const status = JSON.parse(text) as import('../../../api').Status;
    if (status.kind === 'Status' && status.message) {
      return new Refusal(status.code ?? code, status.reason ?? 'InternalError', status.message, status.details);
    }
  } catch {
    // not a Status
  }
  // the handler has just started, or the guest has just left: its 404 must not look like the object's
  if (code === 404)
    return new Refusal(503, 'ServiceUnavailable', `virt-handler on node "${vmi.status?.nodeName}": ${text.trim()}`);
  const detail = text.trim().slice(0, 500) || `HTTP ${code}`;
  return internalError(`virt-handler on node "${vmi.status?.nodeName}": ${detail}`);
}

import { createServer, Server } from 'node:https';
import { IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { Admission } from './admission/admission';
import { NamespaceLifecycle } from './admission/namespace-lifecycle';
import { PriorityPlugin, ServiceAccountPlugin, StorageClassPlugin, TolerationsPlugin } from './admission/pods';
import { StorageInUsePlugin } from './admission/storage-in-use';
import { MutatingWebhooks, ValidatingWebhooks } from './admission/webhooks';
import { Aggregator } from './aggregation/aggregator';
import { ServiceAccountKeys, ServiceAccountTokens } from './authentication/tokens';
import { allowAuthenticated, Authorizer } from './authorization/authorizer';
import { bootstrap } from './controllers/bootstrap';
import { ClusterRoleController } from './controllers/cluster-roles';
import { EndpointsController } from './controllers/endpoints';
import { EndpointSliceController } from './controllers/endpoint-slices';
import { GarbageCollector } from './controllers/garbage-collector';
import { LocalApiServices } from './controllers/local-api-services';
import { NamespaceController } from './controllers/namespaces';
import { ServiceAccountController } from './controllers/service-accounts';
import { StorageProtectionController } from './controllers/storage-protection';
import { CrdController } from './crd/crd-controller';
import { Discovery } from './discovery/discovery';
import { subresourcesOf } from './discovery/subresources';
import { AuditLog } from './http/audit';
import { Dispatcher, Route } from './http/dispatcher';
import { ResourceRoute } from './http/resource-route';
import { DiscoveryRoute, HealthRoute, OpenApiRoute } from './http/system-routes';
import { builtinKinds } from './kinds';
import { ServiceAllocator } from './kinds/service-allocator';
import { KindRegistry } from './registry/registry';
import { reviewResources } from './reviews/reviews';
import { Store } from './store/store';
import { subresources } from './subresources';
import { PodStreams } from './subresources/pod-streams';
import { KeyPair } from './types';
import { Core } from './verbs/core';

export interface ApiServerOptions {
  /** SQLite file; created when absent. */
  readonly storePath: string;
  /** Number of writes after which a slow watcher must list again. Default: 10,000. */
  readonly historyLength?: number;
  /** Addresses to serve on; port 0 picks a free one. */
  readonly listen: readonly { host: string; port: number }[];
  readonly tls: KeyPair;
  /** CA of client certificates, in PEM. */
  readonly clientCa: string;
  /** CA of this server's certificate, for `kube-root-ca.crt`. Default: `clientCa`. */
  readonly serverCa?: string;
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** Client identity (front proxy) towards aggregated API servers and webhooks. */
  readonly requestheaderClient: KeyPair;
  /** Client identity towards kubelets. */
  readonly kubeletClient: KeyPair;
  readonly kubeletCa: string;
  /** Path of the audit log with a JSON line per request. Default: no log. */
  readonly auditLog?: string;
  /** Ranges of ClusterIPs: IPv4, then perhaps IPv6 after a comma. Default: 10.96.0.0/16. */
  readonly serviceCidr?: string;
  /** Address of this server for Pods (the `kubernetes` Service). Default: the last listener. */
  readonly advertise?: { host: string; port: number };
  /** Authorizer. Default: authenticated users may do everything. */
  readonly authorizer?: Authorizer;
  readonly log?: (message: string, details?: object) => void;
}

export interface ApiServer {
  /** Port of the first listener. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const ISSUER = 'https://kubernetes.default.svc.cluster.local';

const DEFAULT_SERVICE_CIDR = '10.96.0.0/16';

function admission(store: Store, kinds: KindRegistry, client: KeyPair): Admission {
  return new Admission([
    new NamespaceLifecycle(store),
    new ServiceAccountPlugin(store),
    new PriorityPlugin(store),
    new TolerationsPlugin(),
    new StorageClassPlugin(store),
    new StorageInUsePlugin(),
    new MutatingWebhooks(store, kinds, client),
    new ValidatingWebhooks(store, kinds, client),
  ]);
}

/** Starts the API server. Resolves when it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const store = new Store(options.storePath, options.historyLength);
  const log = options.log ?? (() => {});
  const tokens = new ServiceAccountTokens(options.serviceAccountKeys, ISSUER, [ISSUER], store);
  const allocator = new ServiceAllocator(store, (options.serviceCidr ?? DEFAULT_SERVICE_CIDR).split(','));
  const kinds = new KindRegistry();
  for (const kind of builtinKinds(allocator)) kinds.add(kind);
  const core: Core = { store, kinds, admission: admission(store, kinds, options.requestheaderClient) };
  const authorizer = options.authorizer ?? allowAuthenticated;
  const kubelet = { store, client: options.kubeletClient, ca: options.kubeletCa };
  const virtual = reviewResources(authorizer, tokens);
  const aggregator = new Aggregator(store, options.requestheaderClient);
  const discovery = new Discovery(kinds, virtual, subresourcesOf, () => aggregator.groupVersions());
  const routes: Route[] = [
    aggregator,
    new PodStreams(kubelet),
    new ResourceRoute(core, subresources(core, tokens, kubelet), virtual),
    new HealthRoute(),
    new DiscoveryRoute(discovery),
    new OpenApiRoute(kinds),
  ];
  const audit = new AuditLog(options.auditLog);
  const dispatcher = new Dispatcher(routes, tokens, authorizer, audit, log);
  const sockets = new Set<Duplex>();
  const servers = await Promise.all(options.listen.map((address) => listen(options, address, dispatcher, sockets)));
  const { port } = servers[0].address() as AddressInfo;
  const controllers = [
    new CrdController(core, log),
    aggregator,
    new ServiceAccountController(core, options.serverCa ?? options.clientCa),
    new NamespaceController(core, log),
    new GarbageCollector(core, log),
    new EndpointSliceController(core, log),
    new EndpointsController(core, log),
    new StorageProtectionController(core, log),
    new LocalApiServices(core, virtual),
    new ClusterRoleController(core, log),
  ];
  controllers[0].start();
  bootstrap(core, options.advertise ?? { host: options.listen[options.listen.length - 1].host, port }, allocator.first);
  for (const controller of controllers.slice(1)) controller.start();
  return {
    url: `https://${options.listen[0].host.includes(':') ? `[${options.listen[0].host}]` : options.listen[0].host}:${port}`,
    port,
    async close() {
      for (const controller of controllers) controller.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await audit.close();
      store.close();
    },
  };
}

async function listen(
  options: ApiServerOptions,
  address: { host: string; port: number },
  dispatcher: Dispatcher,
  sockets: Set<Duplex>,
): Promise<Server> {
  const server = createServer({
    ...options.tls,
    ca: options.clientCa,
    requestCert: true,
    // An invalid certificate gets a 401 response instead of a failed handshake.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    // Watches and streams are long-lived.
    requestTimeout: 0,
    keepAliveTimeout: 90_000,
  });
  server.on(
    'request',
    (request: IncomingMessage, response: ServerResponse) => void dispatcher.serve(request, response),
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void dispatcher.upgrade(request, socket, head);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

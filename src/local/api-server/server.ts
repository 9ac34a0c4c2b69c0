import { Admission } from './admission/admission';
import { ClaimResizePlugin, IngressClassPlugin, PriorityClassPlugin, RuntimeClassPlugin } from './admission/classes';
import { LimitRanger } from './admission/limit-ranger';
import { NamespaceLifecycle } from './admission/namespace-lifecycle';
import { ValidatingPolicies } from './admission/policy/plugin';
import { PriorityPlugin, ServiceAccountPlugin, StorageClassPlugin, TolerationsPlugin } from './admission/pods';
import { PodSecurity } from './admission/pod-security/plugin';
import { QuotaPlugin } from './admission/quota/plugin';
import { StorageInUsePlugin } from './admission/storage-in-use';
import { WebhookClient } from './admission/webhook-client';
import { MutatingWebhooks, ValidatingWebhooks } from './admission/webhooks';
import { Aggregator } from './aggregation/aggregator';
import { ServiceAccountKeys, ServiceAccountTokens } from './authentication/tokens';
import { NodeRestrictionPlugin } from './admission/node-restriction';
import { NodeTaintsPlugin } from './admission/node-taints';
import { Authorizer, AuthorizerChain } from './authorization/authorizer';
import { nodeRules } from './authorization/default-roles';
import { EscalationPlugin } from './authorization/escalation';
import { NodeAuthorizer } from './authorization/node';
import { NodeRelations } from './authorization/node-relations';
import { RbacAuthorizer } from './authorization/rbac';
import { AdmissionPolicyController } from './controllers/admission-policies';
import { AuthenticationTrustController, type AuthenticationTrust } from './controllers/authentication-trust';
import { bootstrap } from './controllers/bootstrap';
import { ClusterRoleController } from './controllers/cluster-roles';
import { EndpointsController } from './controllers/endpoints';
import { EventExpiry } from './controllers/events';
import { EndpointSliceController } from './controllers/endpoint-slices';
import { GarbageCollector } from './controllers/garbage-collector';
import { LocalApiServices } from './controllers/local-api-services';
import { NamespaceController } from './controllers/namespaces';
import { ResourceQuotaController } from './controllers/resource-quotas';
import { ServiceAccountController } from './controllers/service-accounts';
import { StorageProtectionController } from './controllers/storage-protection';
import { CrdController } from './crd/controller';
import { Discovery } from './discovery/discovery';
import { subresourcesOf } from './discovery/subresources';
import { AuditLog } from './http/audit';
import { connectionLimits, ConnectionLimits, Connections } from './http/connections';
import { Dispatcher, Route } from './http/dispatcher';
import { FlowControl, FlowLimits, flowLimits } from './http/flow-control';
import { Listener, ListenerTimeouts } from './http/listener';
import { ResourceRoute } from './http/resource-route';
import { DiscoveryRoute } from './http/discovery-route';
import { HealthRoute } from './http/health-route';
import { OpenApiRoute } from './http/openapi-route';
import { TokenKeysRoute } from './http/token-keys-route';
import { builtinKinds } from './kinds';
import { ServiceAllocator } from './kinds/service-allocator';
import { ProxyTimeouts, proxyTimeouts } from './network/proxy';
import { WebhookTransport } from './network/webhook-transport';
import { metricsResources } from './metrics/metrics';
import { KindRegistry } from './registry/registry';
import { reviewResources } from './reviews/reviews';
import { Store } from './store/store';
import { subresources } from './subresources';
import { PodStreams } from './subresources/pod-streams';
import { Proxies, ProxyUpgrades } from './subresources/proxy';
import { ProxyTargets } from './subresources/proxy-target';
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
  /** CA and common names of that identity, which aggregated API servers read. Default: not published. */
  readonly requestheader?: AuthenticationTrust['requestheader'];
  /** Client identity towards kubelets. */
  readonly kubeletClient: KeyPair;
  readonly kubeletCa: string;
  /** Path of the audit log with a JSON line per request. Default: no log. */
  readonly auditLog?: string;
  /** Ranges of ClusterIPs: IPv4, then perhaps IPv6 after a comma. Default: 10.96.0.0/16. */
  readonly serviceCidr?: string;
  /** Address of this server for Pods (the `kubernetes` Service). Default: the last listener. */
  readonly advertise?: { host: string; port: number };
  /** Limits of requests, bodies and watches. Default: `flowLimits`. */
  readonly limits?: Partial<FlowLimits>;
  /** Limits of connections. Default: `connectionLimits`. */
  readonly connections?: Partial<ConnectionLimits>;
  readonly timeouts?: Partial<ListenerTimeouts & ProxyTimeouts>;
  readonly log?: (message: string, details?: object) => void;
}

export interface ApiServer {
  /** Port of the first listener. */
  readonly url: string;
  readonly port: number;
  /** Requests and connections of the server, for tests of its limits. */
  readonly flow: FlowControl;
  close(): Promise<void>;
}

const ISSUER = 'https://kubernetes.default.svc.cluster.local';

const DEFAULT_SERVICE_CIDR = '10.96.0.0/16';

function admission(
  store: Store,
  kinds: KindRegistry,
  transport: WebhookTransport,
  rbac: RbacAuthorizer,
  authorizer: Authorizer,
): Admission {
  const client = new WebhookClient(transport);
  return new Admission([
    new NamespaceLifecycle(store),
    new LimitRanger(store),
    new ServiceAccountPlugin(store),
    new PodSecurity(store),
    new NodeRestrictionPlugin(store, authorizer),
    new NodeTaintsPlugin(),
    new PriorityPlugin(store),
    new PriorityClassPlugin(store),
    new TolerationsPlugin(),
    new StorageClassPlugin(store),
    new StorageInUsePlugin(),
    new ClaimResizePlugin(store),
    new RuntimeClassPlugin(),
    new IngressClassPlugin(store),
    new MutatingWebhooks(store, kinds, client, authorizer),
    new ValidatingPolicies(store, kinds, authorizer),
    new ValidatingWebhooks(store, kinds, client, authorizer),
    new EscalationPlugin(rbac, authorizer),
    new QuotaPlugin(store),
  ]);
}

/** Starts the API server. Resolves when it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const log = options.log ?? (() => {});
  const store = new Store(options.storePath, options.historyLength, log);
  const tokens = new ServiceAccountTokens(options.serviceAccountKeys, ISSUER, [ISSUER], store);
  const allocator = new ServiceAllocator(store, (options.serviceCidr ?? DEFAULT_SERVICE_CIDR).split(','));
  const transport = new WebhookTransport(store, options.requestheaderClient);
  const kinds = new KindRegistry();
  for (const kind of builtinKinds(allocator)) kinds.add(kind);
  const rbac = new RbacAuthorizer(store);
  const authorizer = new AuthorizerChain([new NodeAuthorizer(new NodeRelations(store), nodeRules()), rbac]);
  const core: Core = {
    store,
    kinds,
    admission: admission(store, kinds, transport, rbac, authorizer),
  };
  const kubelet = { store, client: options.kubeletClient, ca: options.kubeletCa };
  const virtual = [...reviewResources(authorizer, tokens), ...metricsResources(kubelet)];
  const timeouts = { ...proxyTimeouts, ...options.timeouts };
  const aggregator = new Aggregator(store, options.requestheaderClient, timeouts);
  const proxied = new ProxyTargets(store, options.kubeletClient, options.kubeletCa);
  const proxies = new Proxies(proxied, timeouts);
  const discovery = new Discovery(kinds, virtual, subresourcesOf, () => aggregator.groupVersions());
  const routes: Route[] = [
    aggregator,
    new PodStreams(kubelet),
    new ProxyUpgrades(proxied, timeouts),
    new ResourceRoute(core, subresources(core, tokens, kubelet, proxies), virtual),
    new HealthRoute(),
    new TokenKeysRoute(tokens),
    new DiscoveryRoute(discovery),
    new OpenApiRoute(kinds, () => aggregator.openApi()),
  ];
  const audit = new AuditLog(options.auditLog);
  const connections = new Connections({ ...connectionLimits, ...options.connections });
  const flow = new FlowControl(connections, { ...flowLimits, ...options.limits });
  const dispatcher = new Dispatcher(routes, tokens, authorizer, audit, flow, log);
  const listeners = options.listen.map((address) => new Listener({ ...options, ...address }, connections, dispatcher));
  const [port] = await Promise.all(listeners.map((listener) => listener.start()));
  const controllers = [
    new CrdController(core, transport, log),
    aggregator,
    new ServiceAccountController(core, options.serverCa ?? options.clientCa),
    new AuthenticationTrustController(core, options),
    new NamespaceController(core, log),
    new ResourceQuotaController(core, log),
    new GarbageCollector(core, log),
    new EndpointSliceController(core, log),
    new EndpointsController(core, log),
    new StorageProtectionController(core, log),
    new LocalApiServices(core, virtual),
    new ClusterRoleController(core, log),
    new AdmissionPolicyController(core, log),
    new EventExpiry(store, log),
  ];
  controllers[0].start();
  bootstrap(core, options.advertise ?? { host: options.listen[options.listen.length - 1].host, port }, allocator.first);
  for (const controller of controllers.slice(1)) controller.start();
  return {
    url: `https://${options.listen[0].host.includes(':') ? `[${options.listen[0].host}]` : options.listen[0].host}:${port}`,
    port,
    flow,
    async close() {
      for (const controller of controllers) controller.close();
      connections.closeAll();
      await Promise.all(listeners.map((listener) => listener.close()));
      await audit.close();
      store.close();
    },
  };
}

import type { SecureContext } from 'node:tls';
import type { KubeObject } from '../../api/meta';
import {
  EventRecorder,
  Informer,
  isNotFound,
  keyOf,
  resources,
  WorkQueue,
  type KubeClient,
  type Requeue,
  type Resource,
} from '../../runtime/kube';
import { deepEqual } from '../api-server/json/values';
import type { EndpointSlice, Secret, Service } from '../core-v1';
import type { Log } from '../log';
import { CONTROLLER } from './class';
import { certificateOf, type Certificate } from './certificates';
import { INGRESS_CLASSES, INGRESSES, type Ingress, type IngressClass, type LoadBalancerPoint } from './networking-v1';
import { routesOf, wildcardOf, type Routing, type RouteTable } from './routes';

const LEGACY_CLASS = 'kubernetes.io/ingress.class';

export interface ControllerOptions {
  readonly client: KubeClient;
  /** Address and ports of the front end, for the status of Ingresses. */
  readonly address: string;
  readonly ports: { readonly http: number; readonly https: number };
  readonly onTable: (table: RouteTable) => void;
  /** Time for which a problem must last before it becomes an Event: objects of one file are created one by one. */
  readonly patienceMs?: number;
  readonly log: Log;
}

/** Changes within this time are computed together. */
const GATHER_MS = 20;

/** Follows the Ingresses of its classes: computes routes, and writes their status and Events. */
export class IngressController {
  private readonly ingresses: Informer<Ingress>;
  private readonly classes: Informer<IngressClass>;
  private readonly services: Informer<Service>;
  private readonly slices: Informer<EndpointSlice>;
  private readonly secrets: Informer<Secret>;
  private readonly certificates = new Map<string, { readonly version?: string; readonly certificate: Certificate }>();
  private readonly events: EventRecorder;
  private readonly queue: WorkQueue;
  /** Problems of an Ingress by text, with the time since which they last; Infinity once they were reported. */
  private readonly lasting = new Map<string, Map<string, number>>();
  private routing: Routing = { table: { hosts: new Map(), certificates: new Map() }, problems: new Map() };
  /** Ingresses of the last computation, by key. */
  private followed: ReadonlyMap<string, Ingress> = new Map();
  private working?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private started = false;
  private readsSecrets = false;

  public constructor(private readonly options: ControllerOptions) {
    const { log } = options;
    this.ingresses = this.informer(INGRESSES, trimIngress);
    this.classes = this.informer(INGRESS_CLASSES, trimClass);
    this.services = this.informer(resources.services, trimService);
    this.slices = this.informer(resources.endpointSlices, trimSlice);
    this.secrets = this.informer(resources.secrets, trimSecret, 'type=kubernetes.io/tls');
    this.events = new EventRecorder(options.client, {
      component: 'ingress',
      onError: (error) => log('warn', 'an event could not be written', { error: String(error) }),
    });
    this.queue = new WorkQueue({
      onError: (key, error) => log('warn', 'an Ingress could not be updated; retrying', { key, error: String(error) }),
    });
  }

  /** Resolves when the routes of all existing Ingresses are known. */
  public async start(): Promise<void> {
    const all = [this.ingresses, this.classes, this.services, this.slices];
    await Promise.all(all.map((informer) => informer.start()));
    this.started = true;
    this.compute();
    this.working = this.queue.run(2, (key) => this.reconcile(key));
  }

  public async close(): Promise<void> {
    clearTimeout(this.timer);
    this.started = false;
    await this.queue.stop();
    await this.working;
    const all = [this.ingresses, this.classes, this.services, this.slices, this.secrets];
    await Promise.all(all.map((informer) => informer.stop()));
    await this.events.stop();
  }

  /** The certificate for a host of a handshake; undefined: the default certificate. */
  public certificateFor(host: string): SecureContext | undefined {
    const { certificates } = this.routing.table;
    const secret = certificates.get(host) ?? certificates.get(wildcardOf(host));
    const found = secret === undefined ? undefined : this.certificate(secret);
    return found && 'context' in found ? found.context : undefined;
  }

  private informer<T extends KubeObject>(resource: Resource, transform: (object: T) => T, fieldSelector?: string) {
    const informer = new Informer<T>(this.options.client, resource, {
      transform,
      ...(fieldSelector ? { fieldSelector } : {}),
      onError: (error) =>
        this.options.log('warn', `watching ${resource.plural} failed; retrying`, { error: String(error) }),
    });
    const change = (): void => this.changed();
    return informer.onChange({ add: change, update: change, delete: change });
  }

  private changed(): void {
    if (!this.started) return;
    this.timer ??= setTimeout(() => this.compute(), GATHER_MS);
  }

  private compute(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ingresses = this.ours();
    this.followed = new Map(ingresses.map((ingress) => [keyOf(ingress), ingress]));
    // Secrets are read only for Ingresses that name one
    const encrypted = ingresses.some(({ spec }) => spec?.tls?.some(({ secretName }) => secretName));
    if (encrypted && !this.readsSecrets) {
      this.readsSecrets = true;
      void this.secrets.start().then(() => this.changed());
    }
    this.routing = routesOf({
      ingresses,
      services: this.services.list(),
      slices: this.slices.list(),
      certificateProblem: (secret) => this.certificateProblem(secret),
    });
    this.options.onTable(this.routing.table);
    for (const key of new Set([...this.followed.keys(), ...this.lasting.keys()])) this.queue.add(key);
    for (const key of this.certificates.keys()) if (!this.secrets.get(key)) this.certificates.delete(key);
  }

  /** Ingresses of classes that this controller implements. */
  private ours(): Ingress[] {
    const classes = new Set(
      this.classes.list().flatMap(({ metadata, spec }) => (spec?.controller === CONTROLLER ? metadata.name! : [])),
    );
    return this.ingresses.list().filter(({ metadata, spec }) => {
      const name = spec?.ingressClassName ?? metadata.annotations?.[LEGACY_CLASS];
      return name !== undefined && classes.has(name) && !metadata.deletionTimestamp;
    });
  }

  private certificate(key: string): Certificate | undefined {
    const secret = this.secrets.get(key);
    if (!secret) return undefined;
    const version = secret.metadata.resourceVersion;
    const known = this.certificates.get(key);
    if (known && known.version === version) return known.certificate;
    const certificate = certificateOf(secret);
    this.certificates.set(key, { version, certificate });
    return certificate;
  }

  private certificateProblem(key: string): string | undefined {
    if (!this.secrets.listed) return undefined;
    const found = this.certificate(key);
    if (!found) return 'of type kubernetes.io/tls does not exist';
    return 'problem' in found ? found.problem : undefined;
  }

  private async reconcile(key: string): Promise<Requeue | void> {
    const ingress = this.followed.get(key);
    if (!ingress) return void this.lasting.delete(key);
    await this.writeStatus(ingress);
    return this.report(ingress);
  }

  private async writeStatus({ metadata, spec, status }: Ingress): Promise<void> {
    const { address, ports } = this.options;
    const wanted: LoadBalancerPoint = {
      ip: address,
      ports: [ports.http, ...(spec?.tls?.length ? [ports.https] : [])].map((port) => ({ port, protocol: 'TCP' })),
    };
    if (deepEqual(status?.loadBalancer?.ingress, [wanted])) return;
    const { namespace, name = '', uid } = metadata;
    const body = { metadata: { uid }, status: { loadBalancer: { ingress: [wanted] } } };
    try {
      await this.options.client.patch(INGRESSES, { namespace, name, subresource: 'status' }, body, 'merge');
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Writes an Event for each problem that lasts, once until it ends. */
  private report(ingress: Ingress): Requeue | void {
    const key = keyOf(ingress);
    const now = performance.now();
    const patience = this.options.patienceMs ?? 3_000;
    const before = this.lasting.get(key);
    const after = new Map<string, number>();
    for (const { reason, message } of this.routing.problems.get(key) ?? []) {
      const since = before?.get(message) ?? now;
      const due = since + patience <= now;
      if (due) this.events.warning(ingress, reason, message);
      after.set(message, due ? Infinity : since);
    }
    if (after.size) this.lasting.set(key, after);
    else this.lasting.delete(key);
    const waiting = [...after.values()].filter(Number.isFinite);
    if (waiting.length) return { requeueAfterMs: Math.min(...waiting) + patience - now };
  }
}

/** Each cache keeps what routes, status and Events need. */
const meta = <T extends KubeObject>({ apiVersion, kind, metadata }: T, labels = false) => ({
  apiVersion,
  kind,
  metadata: {
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    ...(metadata.creationTimestamp ? { creationTimestamp: metadata.creationTimestamp } : {}),
    ...(metadata.deletionTimestamp ? { deletionTimestamp: metadata.deletionTimestamp } : {}),
    ...(labels ? { labels: metadata.labels } : {}),
  },
});

function trimIngress(ingress: Ingress): Ingress {
  const { metadata, ...rest } = meta(ingress);
  const legacy = ingress.metadata.annotations?.[LEGACY_CLASS];
  const annotations = legacy === undefined ? {} : { annotations: { [LEGACY_CLASS]: legacy } };
  return { ...rest, metadata: { ...metadata, ...annotations }, spec: ingress.spec, status: ingress.status };
}

const trimClass = (object: IngressClass): IngressClass => ({
  ...meta(object),
  spec: { controller: object.spec?.controller },
});

function trimService(service: Service): Service {
  const { type, ports } = service.spec ?? {};
  const kept = ports?.map(({ name, port, protocol }) => ({ name, port, protocol }));
  return { ...meta(service), spec: { type, ports: kept } };
}

function trimSlice(slice: EndpointSlice): EndpointSlice {
  const endpoints = slice.endpoints?.map(({ addresses, conditions, targetRef }) => ({
    addresses,
    conditions: { ready: conditions?.ready },
    targetRef: targetRef && { uid: targetRef.uid },
  }));
  return { ...meta(slice, true), addressType: slice.addressType, endpoints, ports: slice.ports };
}

function trimSecret(secret: Secret): Secret {
  const { 'tls.crt': cert = '', 'tls.key': key = '' } = secret.data ?? {};
  return { ...meta(secret), data: { 'tls.crt': cert, 'tls.key': key } };
}

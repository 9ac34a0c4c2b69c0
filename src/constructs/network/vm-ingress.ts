import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Choice } from '../choice';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { nameOf, namespaceOf, secretOf } from '../storage/reference';
import { validateOnSynth } from '../validation';
import { beside } from './beside';
import { VmPort } from './vm-port';
import { IServiceTarget, VmService } from './vm-service';

/** Matching of the path of a request. */
export class IngressPathType extends Choice {
  /** By path segments: `/api` matches `/api` and `/api/v1`, but not `/apis`. */
  public static readonly PREFIX = IngressPathType.of('Prefix');
  /** The whole path. */
  public static readonly EXACT = IngressPathType.of('Exact');
  /** Decided by the Ingress class. */
  public static readonly IMPLEMENTATION_SPECIFIC = IngressPathType.of('ImplementationSpecific');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IngressPathType {
    return new IngressPathType(value);
  }
}

/** Requests that a route matches. */
export interface IngressRouteOptions {
  /**
   * Host name of the requests: `shop.example`, or `*.shop.example`.
   * @default - any host
   */
  readonly host?: string;
  /**
   * Path of the requests, beginning with `/`.
   * @default /
   */
  readonly path?: string;
  /**
   * How the path is matched.
   * @default IngressPathType.PREFIX
   */
  readonly pathType?: IngressPathType;
  /**
   * Secret of type `kubernetes.io/tls` that holds the host's certificate and key.
   * @default - the certificate of the Ingress class, or plain HTTP
   */
  readonly tls?: INamedObject;
}

/** Options of a route to guests. */
export interface IngressTargetOptions extends IngressRouteOptions {
  /**
   * Port on which the guest serves HTTP.
   * @default VmPort.HTTP
   */
  readonly port?: VmPort;
}

/** Options of a route to a Service. */
export interface IngressServiceOptions extends IngressRouteOptions {
  /**
   * Port number of the Service.
   * @default 80
   */
  readonly port?: number;
}

/** Options for exposing a VM over HTTP. */
export interface ExposeViaIngressOptions extends IngressTargetOptions {
  /**
   * Ingress class, which selects the controller that serves the Ingress.
   * @default - the cluster's default class
   */
  readonly className?: string;
  /**
   * Name, labels and annotations of the Ingress.
   * @default - the name is generated from the construct's path; the namespace is the VM's
   */
  readonly metadata?: ApiObjectMetadata;
}

/** Properties of an Ingress. */
export interface VmIngressProps extends ResourceProps {
  /**
   * Ingress class, which selects the controller that serves the Ingress.
   * @default - the cluster's default class
   */
  readonly className?: string;
}

interface Route {
  readonly options: IngressRouteOptions;
  readonly service: INamedObject;
  readonly port: number;
}

/**
 * Kubernetes Ingress (`networking.k8s.io/v1`) that routes external HTTP requests to guests, by host and path. Each
 * target gets one Service, with the ports that its routes need.
 *
 * @example
 * new VmIngress(chart, 'shop', { className: 'nginx' }).addTarget(vm, { host: 'shop.example' });
 */
export class VmIngress extends Resource {
  /** @internal */
  public static _exposing(
    scope: Construct,
    id: string,
    target: IServiceTarget,
    options: ExposeViaIngressOptions,
  ): VmIngress {
    const { className, metadata, ...route } = options;
    const ingress = new VmIngress(scope, id, { className, metadata: beside(target, metadata) });
    ingress.addTarget(target, route);
    return ingress;
  }

  public readonly apiObject: ApiObject;
  private readonly routes: Route[] = [];
  /** Services by the labels of their Pods. */
  private readonly services = new Map<string, VmService>();
  private readonly changed: () => void;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props class and targets of the Ingress
   */
  constructor(scope: Construct, id: string, props: VmIngressProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const render = (): object => renderIngress(props.className, this.routes);
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: props.metadata,
      spec: Lazy.any({ produce: render }),
    });
    this.changed = validateOnSynth(this, { body: () => ({ spec: render() }) });
  }

  /**
   * Routes requests to a VM, an instance, a pool or a replica set.
   *
   * @param target guests that receive the requests
   * @param options host, path and port
   * @returns the Service of the target
   */
  public addTarget(target: IServiceTarget, options: IngressTargetOptions = {}): VmService {
    const { port = VmPort.HTTP } = options;
    const key = JSON.stringify([target.podLabels ?? target.name, namespaceOf(target)]);
    let service = this.services.get(key);
    if (!service) {
      // objects of different kinds may have the same name
      const id = this.node.tryFindChild(target.name) ? `${target.name}-${this.services.size + 1}` : target.name;
      service = new VmService(this, id, { target, ports: [port], metadata: beside(this, undefined) });
      this.services.set(key, service);
    } else if (!service.ports.some((open) => open.port === port.port && open.targetPort === port.targetPort)) {
      service.addPort(port);
    }
    this.add({ options, service, port: port.port });
    return service;
  }

  /**
   * Routes requests to an existing Service.
   *
   * @param service Service that receives the requests
   * @param options host, path and port
   */
  public addService(service: INamedObject, options: IngressServiceOptions = {}): void {
    nameOf('VmIngress.addService', service, ['Service'], 'give it a Service');
    this.add({ options, service, port: options.port ?? VmPort.HTTP.port });
  }

  private add(route: Route): void {
    const { tls } = route.options;
    if (tls) nameOf('VmIngress: tls', tls, ['Secret'], 'give it a Secret');
    this.routes.push(route);
    this.changed();
  }
}

function renderIngress(className: string | undefined, routes: readonly Route[]): object {
  // hosts and Secrets keep the order in which the code first names them
  const hosts = new Map<string | undefined, object[]>();
  const secrets = new Map<string, Set<string>>();
  for (const { options, service, port } of routes) {
    const { host, path = '/', pathType = IngressPathType.PREFIX, tls } = options;
    const backend = {
      service: {
        name: nameOf('VmIngress: service', service, ['Service'], 'use a Service, or addTarget for a VM'),
        port: { number: port },
      },
    };
    hosts.set(host, [...(hosts.get(host) ?? []), { path, pathType: pathType.value, backend }]);
    if (tls) {
      const secret = secretOf('VmIngress: tls', tls);
      secrets.set(secret, new Set([...(secrets.get(secret) ?? []), ...(host === undefined ? [] : [host])]));
    }
  }
  return {
    ...(className === undefined ? {} : { ingressClassName: className }),
    rules: [...hosts].map(([host, paths]) => ({ ...(host === undefined ? {} : { host }), http: { paths } })),
    ...(secrets.size === 0
      ? {}
      : {
          tls: [...secrets].map(([secretName, names]) => ({
            ...(names.size === 0 ? {} : { hosts: [...names] }),
            secretName,
          })),
        }),
  };
}

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

/** How a path of an Ingress is compared with that of a request. */
export class IngressPathType extends Choice {
  /** By its parts: `/api` is for `/api` and `/api/v1`, not for `/apis`. */
  public static readonly PREFIX = IngressPathType.of('Prefix');
  /** As a whole. */
  public static readonly EXACT = IngressPathType.of('Exact');
  /** As the Ingress' class decides. */
  public static readonly IMPLEMENTATION_SPECIFIC = IngressPathType.of('ImplementationSpecific');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IngressPathType {
    return new IngressPathType(value);
  }
}

/** Which requests are meant. */
export interface IngressRouteOptions {
  /**
   * Host name of the requests: `shop.example`, or `*.shop.example`.
   * @default - any
   */
  readonly host?: string;
  /**
   * Path of the requests, from `/`.
   * @default /
   */
  readonly path?: string;
  /**
   * How the path is compared.
   * @default IngressPathType.PREFIX
   */
  readonly pathType?: IngressPathType;
  /**
   * Secret of the type `kubernetes.io/tls` with the host's certificate and key.
   * @default - none: the class' own, or plain HTTP
   */
  readonly tls?: INamedObject;
}

/** How requests reach guests. */
export interface IngressTargetOptions extends IngressRouteOptions {
  /**
   * The port on which the guest speaks HTTP.
   * @default VmPort.HTTP
   */
  readonly port?: VmPort;
}

/** How requests reach a Service. */
export interface IngressServiceOptions extends IngressRouteOptions {
  /**
   * The Service's port, by its number.
   * @default 80
   */
  readonly port?: number;
}

/** How a VM is exposed to HTTP. */
export interface ExposeViaIngressOptions extends IngressTargetOptions {
  /**
   * Class of the Ingress: which controller serves it.
   * @default - the cluster's default class
   */
  readonly className?: string;
  /**
   * Name, labels, annotations of the Ingress.
   * @default - the name follows from the construct's path; in the namespace of the VM
   */
  readonly metadata?: ApiObjectMetadata;
}

/** What an Ingress takes. */
export interface VmIngressProps extends ResourceProps {
  /**
   * Class of the Ingress: which controller serves it.
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
 * A Kubernetes Ingress (`networking.k8s.io/v1`): HTTP from outside to guests, by host and path. Each target gets one
 * Service, with the ports that the routes need.
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
  /** By the labels of the Pods behind them. */
  private readonly services = new Map<string, VmService>();
  private readonly changed: () => void;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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
   * Leads requests to a VM, an instance, a pool or a replica set.
   *
   * @param target guests that requests go to
   * @param options host, path and port
   * @returns the Service in front of it
   */
  public addTarget(target: IServiceTarget, options: IngressTargetOptions = {}): VmService {
    const { port = VmPort.HTTP } = options;
    const key = JSON.stringify([target.podLabels ?? target.name, namespaceOf(target)]);
    let service = this.services.get(key);
    if (!service) {
      // guests of two kinds may have one name
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
   * Leads requests to a Service that is there.
   *
   * @param service Service that requests go to
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
  // the order of the manifest is that of the code: hosts and Secrets where they come first
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

import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { virtApiAccess, virtControllerAccess, virtHandlerAccess, virtOperatorAccess } from '../../api/access';
import { checkPlace, checkProps } from '../signatures';
import { mistakeInCode } from '../validation';
import { PlatformCertificates } from './certificates';
import { PlatformComponent } from './component';
import { PlatformConfiguration } from './configuration';
import { PlatformCredentials } from './credentials';
import { PlatformDefinitions } from './definitions';
import { PlatformImages } from './images';
import { KubeVirt, UninstallStrategy, WorkloadUpdate } from './kubevirt';
import { PlatformMonitoring, PlatformMonitoringProps } from './monitoring';
import { clusterObjectOf, PLATFORM_LABELS } from './objects';
import { PlatformPlacement } from './placement';
import { PRIORITY_CLASS, type ComponentParts } from './pods';
import { virtApiPod, virtControllerPod, virtHandlerPod, virtOperatorPod } from './programs';
import { PlatformRegistration } from './registration';
import { PlatformRestrictions } from './restrictions';
import { PlatformUserRoles } from './roles';
import { ControllerThreads, PlatformSize } from './size';

/** How virtualization comes to a cluster. */
export interface VirtPlatformProps {
  /** Images of the components: `PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' })`. */
  readonly images: PlatformImages;
  /**
   * Nodes that run guests: replicas and resources follow from it.
   * @default 3
   */
  readonly nodes?: number;
  /**
   * Replicas and resources of the components.
   * @default PlatformSize.forNodes(nodes)
   */
  readonly size?: PlatformSize;
  /**
   * Namespace of the platform.
   * @default 'kubevirt'
   */
  readonly namespace?: string;
  /**
   * Makes the namespace, in which privileged Pods may run.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Makes the CustomResourceDefinitions. Give false when {@link PlatformDefinitions} is in a chart of its own, which is
   * applied first: the KubeVirt object is of one of its kinds.
   * @default true
   */
  readonly definitions?: boolean;
  /**
   * Defaults and switches for all VMs.
   * @default - KubeVirt's
   */
  readonly configuration?: PlatformConfiguration;
  /**
   * Who makes keys and certificates.
   * @default PlatformCertificates.selfManaged()
   */
  readonly certificates?: PlatformCertificates;
  /**
   * ServiceMonitor and alerts for the Prometheus operator, which must be installed.
   * @default - none
   */
  readonly monitoring?: PlatformMonitoringProps;
  /**
   * Common names of client certificates, of the authority that signs the API server's proxy client certificate, of which
   * a caller of virt-api's webhooks must show one. The API server shows its own only where an AdmissionConfiguration says
   * so: elsewhere, nothing could be written any more.
   * @default - anybody who reaches virt-api may ask its webhooks, which write nothing
   */
  readonly webhookAllowedNames?: string[];
  /**
   * How much virt-controller does at a time.
   * @default - KubeVirt's
   */
  readonly controllerThreads?: ControllerThreads;
  /**
   * Where virt-api, virt-controller and virt-operator run.
   * @default - anywhere
   */
  readonly infra?: PlatformPlacement;
  /**
   * Where virt-handler and guests run.
   * @default - anywhere
   */
  readonly workloads?: PlatformPlacement;
  /**
   * What becomes of VMs when the KubeVirt object is deleted.
   * @default UninstallStrategy.BLOCK_WITH_WORKLOADS
   */
  readonly uninstallStrategy?: UninstallStrategy;
  /**
   * How running guests get a new version of the platform.
   * @default - at their next start
   */
  readonly workloadUpdate?: WorkloadUpdate;
  /**
   * Directory of the nodes' kubelets.
   * @default '/var/lib/kubelet'
   */
  readonly kubeletDirectory?: string;
  /**
   * Directories below which the nodes' container runtimes mount images. k3s has `/run/k3s/containerd`.
   * @default - those of containerd and CRI-O
   */
  readonly runtimeDirectories?: string[];
}

/**
 * Everything that lets a cluster run virtual machines: definitions, namespace, virt-api, virt-controller, virt-handler
 * and virt-operator with what each may do, webhooks, the aggregated API, and the KubeVirt object. For Kubernetes 1.30 and
 * later, on nodes with Linux on amd64.
 *
 * The objects have the names that KubeVirt's have, so that what is built upon those works; there is one platform in a
 * cluster. VMs of the same app are judged by its configuration.
 *
 * No cluster runs it yet: the program of virt-operator, which fills the Secrets that the others wait for, is still to come.
 *
 * @example
 * new VirtPlatform(chart, 'platform', {
 *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
 *   size: PlatformSize.forNodes(20),
 * });
 */
export class VirtPlatform extends Construct {
  /** Namespace of the platform. */
  public readonly namespace: string;
  /** Replicas and resources. */
  public readonly size: PlatformSize;
  /** The KubeVirt object. */
  public readonly kubeVirt: KubeVirt;
  /** Judges what is written, and serves actions and consoles. */
  public readonly virtApi: PlatformComponent;
  /** Makes instances of VMs, and their launchers. */
  public readonly virtController: PlatformComponent;
  /** The agent of each node. */
  public readonly virtHandler: PlatformComponent;
  /** Certificates, and the status of the platform. */
  public readonly virtOperator: PlatformComponent;
  /** The CustomResourceDefinitions; undefined when they are elsewhere. */
  public readonly definitions?: PlatformDefinitions;
  /** Service, webhooks and the aggregated API. */
  public readonly registration: PlatformRegistration;
  /** Secrets and certificates, without what is secret. */
  public readonly credentials: PlatformCredentials;
  /** Admission policies that hold each virt-handler to its own node. */
  public readonly restrictions: PlatformRestrictions;
  /** ClusterRoles for people. */
  public readonly userRoles: PlatformUserRoles;
  /** ServiceMonitor and alerts; undefined without. */
  public readonly monitoring?: PlatformMonitoring;
  /** The namespace; undefined when it is not made here. */
  public readonly namespaceObject?: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props images and configuration of the platform
   */
  constructor(scope: Construct, id: string, props: VirtPlatformProps) {
    checkPlace(scope, id);
    super(scope, id);
    checkProps(this, new.target, props);
    const namespace = props.namespace ?? 'kubevirt';
    const { images, infra, workloads, configuration = {} } = props;
    const certificates = props.certificates ?? PlatformCertificates.selfManaged();
    this.namespace = namespace;
    this.size = props.size ?? PlatformSize.forNodes(props.nodes ?? 3);
    const installation = { namespace, images, size: this.size, infra, workloads };

    if (props.webhookAllowedNames) commonNames('webhookAllowedNames', props.webhookAllowedNames);
    const { virtualMachines, instances, nodes } = props.controllerThreads ?? {};
    for (const [name, count] of Object.entries({ virtualMachines, instances, nodes })) {
      threads(`controllerThreads.${name}`, count);
    }

    // in the order in which it is applied
    if (props.definitions ?? true) this.definitions = new PlatformDefinitions(this, 'Definitions');
    if (props.createNamespace ?? true) this.namespaceObject = this.makeNamespace();
    this.makePriorityClass();
    this.credentials = PlatformCredentials._make(this, 'Credentials', namespace, certificates);
    this.userRoles = PlatformUserRoles._make(this, 'UserRoles', configuration.aggregateRoles ?? true);
    // before the webhooks, which nobody answers yet
    this.kubeVirt = new KubeVirt(this, 'KubeVirt', {
      metadata: { namespace, labels: { ...PLATFORM_LABELS } },
      configuration,
      images,
      infra,
      workloads,
      uninstallStrategy: props.uninstallStrategy,
      workloadUpdate: props.workloadUpdate,
    });
    const issues = !certificates.needsCertManager;
    const component = (name: string, parts: Omit<ComponentParts, 'namespace'>): PlatformComponent =>
      PlatformComponent._make(this, name, { namespace, ...parts });
    this.virtOperator = component('VirtOperator', {
      access: virtOperatorAccess(issues),
      pod: virtOperatorPod(installation, issues),
    });
    this.virtApi = component('VirtApi', {
      access: virtApiAccess,
      pod: virtApiPod(installation, props.webhookAllowedNames),
    });
    this.virtController = component('VirtController', {
      access: virtControllerAccess,
      pod: virtControllerPod(installation, props.controllerThreads),
    });
    const directories = {
      kubelet: props.kubeletDirectory ?? '/var/lib/kubelet',
      runtimes: props.runtimeDirectories ?? ['/run/containerd', '/var/lib/containers/storage'],
    };
    absolute('kubeletDirectory', directories.kubelet);
    directories.runtimes.forEach((path, i) => absolute(`runtimeDirectories[${i}]`, path));
    this.virtHandler = component('VirtHandler', {
      access: virtHandlerAccess,
      pod: virtHandlerPod(installation, directories),
    });
    const { serviceAccountName } = this.virtHandler.identity;
    this.restrictions = PlatformRestrictions._make(this, 'Restrictions', namespace, serviceAccountName);
    if (props.monitoring) {
      const watched = { namespace, useEmulation: configuration.useEmulation ?? false };
      this.monitoring = PlatformMonitoring._make(this, 'Monitoring', watched, props.monitoring);
    }
    this.registration = PlatformRegistration._make(this, 'Registration', namespace, this.credentials.injection);
    // stays so when somebody adds dependencies of their own
    this.registration.node.addDependency(this.kubeVirt);
  }

  /**
   * Switches feature gates of the KubeVirt object on.
   *
   * @param gates names of feature gates
   */
  public addFeatureGate(...gates: string[]): void {
    this.kubeVirt.addFeatureGate(...gates);
  }

  private makeNamespace(): ApiObject {
    return clusterObjectOf(this, 'Namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: this.namespace,
        // virt-handler is privileged
        labels: { ...PLATFORM_LABELS, 'pod-security.kubernetes.io/enforce': 'privileged' },
      },
    });
  }

  private makePriorityClass(): ApiObject {
    return clusterObjectOf(this, 'PriorityClass', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: PRIORITY_CLASS, labels: { ...PLATFORM_LABELS } },
      value: 1_000_000_000,
      globalDefault: false,
      description: 'Pods of the virtualization platform: without them no VM starts.',
    });
  }
}

/** As a flag's list with commas has them. */
function commonNames(property: string, names: readonly string[]): void {
  const remedy = 'write the common names of certificates: front-proxy-client; or leave it out';
  if (names.length === 0) mistakeInCode('VirtPlatform', property, 'names nobody', remedy, 'webhook-callers');
  names.forEach((name, i) => {
    if (name !== '' && name === name.trim() && !name.includes(',')) return;
    const message = `"${name}" is empty, or has a comma or outer spaces`;
    mistakeInCode('VirtPlatform', `${property}[${i}]`, message, remedy, 'webhook-callers');
  });
}

function threads(property: string, count: number | undefined): void {
  if (count === undefined || (Number.isInteger(count) && count >= 1 && count <= 1000)) return;
  const message = `${count} is not from 1 to 1000`;
  mistakeInCode('VirtPlatform', property, message, 'write a whole number from 1 to 1000', 'controller-threads');
}

function absolute(property: string, path: string): void {
  if (/^\/[^:]*$/.test(path) && !path.split('/').includes('..')) return;
  const message = `"${path}" is no absolute path of a node`;
  mistakeInCode('VirtPlatform', property, message, 'write it like /var/lib/kubelet', 'node-path');
}

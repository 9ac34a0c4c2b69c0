import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import {
  uploadProxyAccess,
  virtApiAccess,
  virtControllerAccess,
  virtHandlerAccess,
  virtOperatorAccess,
} from '../../api/access';
import { EXPORT_PROXY_SERVICE } from '../../api/export/external-path';
import { operatorConfigMaps } from '../../api/install/strategy';
import { checkPlace, checkProps } from '../signatures';
import { reportTexts } from '../reports';
import { mistakeInCode } from '../validation';
import { PlatformCertificates } from './certificates';
import { PlatformComponent } from './component';
import { ComponentCustomization, renderCustomization } from './component-patches';
import { PlatformConfiguration } from './configuration';
import { PlatformCredentials } from './credentials';
import { definitionNames, PlatformDefinitions } from './definitions';
import { PlatformImages } from './images';
import { PlatformInstallStrategy } from './install-strategy';
import { KubeVirt, UninstallStrategy, WorkloadUpdate } from './kubevirt';
import { PlatformMonitoring, PlatformMonitoringProps } from './monitoring';
import { clusterObjectOf, PLATFORM_LABELS } from './objects';
import { missingTargets } from './patch-targets';
import { PlatformPlacement } from './placement';
import { PRIORITY_CLASS, type ComponentParts } from './pods';
import { uploadProxyPod, virtApiPod, virtControllerPod, virtHandlerPod, virtOperatorPod } from './programs';
import { PlatformRegistration } from './registration';
import { PlatformRestrictions } from './restrictions';
import { PlatformUserRoles } from './roles';
import { ControllerThreads, PlatformSize } from './size';
import { setSyncWave, SYNC_WAVES, UNKNOWN_KIND } from './sync-waves';

/** Properties of the platform. */
export interface VirtPlatformProps {
  /** Images of the components: `PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' })`. */
  readonly images: PlatformImages;
  /**
   * Number of nodes that run guests. Replicas and resources depend on it.
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
   * Whether the namespace is created, with permission to run privileged Pods.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Whether the CustomResourceDefinitions are created. Set to false if {@link PlatformDefinitions} is in another chart,
   * which is applied first: the KubeVirt object is of one of these kinds.
   * @default true
   */
  readonly definitions?: boolean;
  /**
   * Defaults and switches for all VMs.
   * @default - KubeVirt's defaults
   */
  readonly configuration?: PlatformConfiguration;
  /**
   * Issuer of keys and certificates.
   * @default PlatformCertificates.selfManaged()
   */
  readonly certificates?: PlatformCertificates;
  /**
   * ServiceMonitor and alerts for the Prometheus operator, which must be installed.
   * @default - none
   */
  readonly monitoring?: PlatformMonitoringProps;
  /**
   * Common names of client certificates that callers of virt-api's webhooks must present. The certificates must be
   * signed by the authority of the API server's proxy client certificate. The API server presents a certificate only if
   * an AdmissionConfiguration requires it: in other clusters, this setting blocks every write.
   * @default - anyone who can reach virt-api can call its webhooks, which change nothing
   */
  readonly webhookAllowedNames?: string[];
  /**
   * Number of objects that virt-controller processes at the same time.
   * @default - KubeVirt's defaults
   */
  readonly controllerThreads?: ControllerThreads;
  /**
   * Placement of virt-api, virt-controller, virt-operator and the upload proxy.
   * @default - anywhere
   */
  readonly infra?: PlatformPlacement;
  /**
   * Placement of virt-handler and guests.
   * @default - anywhere
   */
  readonly workloads?: PlatformPlacement;
  /**
   * What happens to VMs when the KubeVirt object is deleted.
   * @default UninstallStrategy.BLOCK_WITH_WORKLOADS
   */
  readonly uninstallStrategy?: UninstallStrategy;
  /**
   * How running guests are updated to a new version of the platform.
   * @default - at their next start
   */
  readonly workloadUpdate?: WorkloadUpdate;
  /**
   * Whether virt-controller fills the claims of DataVolumes. If so, the definitions of their kinds and the upload proxy
   * are included. Set it to `false` where CDI is installed: two controllers would fill the same claims.
   * @default true
   */
  readonly importer?: boolean;
  /**
   * Directory of the kubelet on the nodes.
   * @default '/var/lib/kubelet'
   */
  readonly kubeletDirectory?: string;
  /**
   * Directories in which the nodes' container runtimes mount images. k3s uses `/run/k3s/containerd`.
   * @default - the directories of containerd and CRI-O
   */
  readonly runtimeDirectories?: string[];
  /**
   * Changes to the objects that virt-operator installs, which it applies again after each upgrade. Synth reports patches of
   * objects that the platform does not have.
   * @default - none
   */
  readonly customizeComponents?: ComponentCustomization;
  /**
   * Chart of the KubeVirt object, in the same app. With a chart of its own, a tool can apply it after virt-operator, and
   * delete it before virt-operator, which removes the platform.
   * @default - the chart of the platform
   */
  readonly kubeVirtChart?: Chart;
  /**
   * Whether the objects have sync waves for Argo CD, which then creates them in order (definitions, namespace, virt-operator,
   * KubeVirt object) and deletes them in the reverse order.
   * @default false
   */
  readonly syncWaves?: boolean;
}

/**
 * Everything that a cluster needs to run virtual machines: definitions, namespace, the KubeVirt object, and virt-operator,
 * which installs virt-api, virt-controller, virt-handler and the upload proxy with their permissions, webhooks and the
 * aggregated API. For Kubernetes 1.30 and later, on Linux nodes with amd64.
 *
 * The objects have KubeVirt's names, so that tools for KubeVirt work with them. A cluster can have one platform. VMs of
 * the same app are validated against its configuration.
 *
 * The objects that virt-operator installs are constructs as well, which can be changed like others. Their manifests are
 * in the ConfigMap `kubevirt-install-strategy`. To remove the platform, delete the KubeVirt object first: virt-operator
 * then removes what it installed.
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
  /** KubeVirt object. */
  public readonly kubeVirt: KubeVirt;
  /** Component that validates objects and serves actions and consoles. */
  public readonly virtApi: PlatformComponent;
  /** Component that creates instances of VMs and their launchers. */
  public readonly virtController: PlatformComponent;
  /** Agent of each node. */
  public readonly virtHandler: PlatformComponent;
  /** Component that installs, repairs, upgrades and removes the others, and issues their certificates. */
  public readonly virtOperator: PlatformComponent;
  /** Component that passes disk images of clients on; undefined without `importer`. Its Service is `cdi-uploadproxy`. */
  public readonly uploadProxy?: PlatformComponent;
  /** CustomResourceDefinitions; undefined if they are declared elsewhere. */
  public readonly definitions?: PlatformDefinitions;
  /** Objects that virt-operator installs: everything but definitions, the KubeVirt object and virt-operator itself. */
  public readonly installStrategy: PlatformInstallStrategy;
  /** Service, webhooks and the aggregated API. */
  public readonly registration: PlatformRegistration;
  /** Secrets and certificates, without their content. */
  public readonly credentials: PlatformCredentials;
  /** Admission policies that restrict each virt-handler to its own node. */
  public readonly restrictions: PlatformRestrictions;
  /** ClusterRoles for users. */
  public readonly userRoles: PlatformUserRoles;
  /** ServiceMonitor and alerts, if monitoring is enabled. */
  public readonly monitoring?: PlatformMonitoring;
  /** Namespace object; undefined if the namespace is not created here. */
  public readonly namespaceObject?: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
    const installation = { namespace, images, size: this.size };

    if (props.webhookAllowedNames) commonNames('webhookAllowedNames', props.webhookAllowedNames);
    const { virtualMachines, instances, nodes } = props.controllerThreads ?? {};
    for (const [name, count] of Object.entries({ virtualMachines, instances, nodes })) {
      threads(`controllerThreads.${name}`, count);
    }

    // in the order in which the objects are applied
    const importer = props.importer ?? true;
    const { syncWaves, kubeVirtChart, customizeComponents } = props;
    if (props.definitions ?? true)
      this.definitions = new PlatformDefinitions(this, 'Definitions', { importer, syncWaves });
    if (props.createNamespace ?? true) this.namespaceObject = this.makeNamespace();
    const priorityClass = this.makePriorityClass();
    this.credentials = PlatformCredentials._make(this, 'Credentials', { namespace, importer }, certificates);
    if (kubeVirtChart) inSameApp(this, kubeVirtChart);
    this.kubeVirt = new KubeVirt(kubeVirtChart ?? this, 'KubeVirt', {
      metadata: { namespace, labels: { ...PLATFORM_LABELS } },
      configuration,
      images,
      infra,
      workloads,
      uninstallStrategy: props.uninstallStrategy,
      workloadUpdate: props.workloadUpdate,
      certificates: certificates._selfManaged(),
      customizeComponents,
    });
    this.installStrategy = PlatformInstallStrategy._make(this, 'InstallStrategy', { namespace, version: images.tag });
    const { chart } = this.installStrategy;
    this.userRoles = PlatformUserRoles._make(chart, 'UserRoles', importer);
    const component = (name: string, parts: Omit<ComponentParts, 'namespace'>): PlatformComponent =>
      PlatformComponent._make(chart, name, { namespace, ...parts });
    this.virtApi = component('VirtApi', {
      access: virtApiAccess,
      pod: virtApiPod(installation, props.webhookAllowedNames),
    });
    this.virtController = component('VirtController', {
      access: virtControllerAccess,
      pod: virtControllerPod(installation, importer, props.controllerThreads),
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
    if (importer) {
      const access = uploadProxyAccess;
      this.uploadProxy = component('UploadProxy', {
        ...{ access, pod: uploadProxyPod(installation), hasService: true },
        aliases: [EXPORT_PROXY_SERVICE],
      });
    }
    const { serviceAccountName } = this.virtHandler.identity;
    this.restrictions = PlatformRestrictions._make(chart, 'Restrictions', namespace, serviceAccountName);
    const { injection } = this.credentials;
    this.registration = PlatformRegistration._make(chart, 'Registration', namespace, importer, injection);
    const issuesCertificates = !certificates.needsCertManager;
    const strategyHash = (): string => this.installStrategy._hash();
    const crds = definitionNames(importer).map((name) => ({ kind: 'CustomResourceDefinition', name }) as const);
    const installs = [...crds, ...this.installStrategy._objects()];
    this.virtOperator = PlatformComponent._make(this, 'VirtOperator', {
      namespace,
      access: virtOperatorAccess({ installs, issuesCertificates, importer }),
      pod: virtOperatorPod({ ...installation, infra, issuesCertificates, importer, strategyHash }),
    });
    // the class of its Pods must exist
    this.virtOperator.node.addDependency(priorityClass);
    // applied last and deleted first: while virt-operator has its permissions, it removes what it has installed
    this.kubeVirt.node.addDependency(
      ...[this.definitions, this.namespaceObject].flatMap((each) => each ?? []),
      ...[priorityClass, this.credentials, this.installStrategy, this.virtOperator],
    );
    const patches = renderCustomization(customizeComponents)?.patches ?? [];
    this.node.addValidation({
      validate: () => {
        const all = [...crds, ...this.installStrategy._objects(), ...operatorObjects(issuesCertificates)];
        return reportTexts(this, missingTargets(patches, all, this.node.path));
      },
    });
    if (props.monitoring) {
      const watched = { namespace, useEmulation: configuration.useEmulation ?? false };
      this.monitoring = PlatformMonitoring._make(this, 'Monitoring', watched, props.monitoring);
    }
    if (syncWaves) this.setSyncWaves(priorityClass);
  }

  /**
   * Enables feature gates of the KubeVirt object.
   *
   * @param gates names of feature gates
   */
  public addFeatureGate(...gates: string[]): void {
    this.kubeVirt.addFeatureGate(...gates);
  }

  private setSyncWaves(priorityClass: ApiObject): void {
    const { credentials, installStrategy, virtOperator, monitoring, namespaceObject } = this;
    for (const each of [namespaceObject, priorityClass]) if (each) setSyncWave(each, SYNC_WAVES.namespace);
    for (const each of [credentials, installStrategy, virtOperator, monitoring])
      if (each) setSyncWave(each, SYNC_WAVES.operator);
    setSyncWave(this.kubeVirt, SYNC_WAVES.kubeVirt, UNKNOWN_KIND);
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

/** ConfigMaps that virt-operator fills itself. */
const operatorObjects = (issuesCertificates: boolean): { kind: string; name: string }[] =>
  [operatorConfigMaps.requestHeader, ...(issuesCertificates ? [operatorConfigMaps.authorities] : [])].map((name) => ({
    kind: 'ConfigMap',
    name,
  }));

/** A chart of another app would not be written. */
function inSameApp(platform: VirtPlatform, chart: Chart): void {
  if (platform.node.root === chart.node.root) return;
  const remedy = 'create the chart in the app of the platform';
  mistakeInCode('VirtPlatform', 'kubeVirtChart', 'is a chart of another app', remedy, 'platform-chart');
}

/** Checks names for a command line flag with a comma-separated list. */
function commonNames(property: string, names: readonly string[]): void {
  const remedy = 'list the common names of certificates, such as front-proxy-client, or omit the property';
  if (names.length === 0) mistakeInCode('VirtPlatform', property, 'is an empty list', remedy, 'webhook-callers');
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
  const message = `"${path}" is not an absolute path`;
  mistakeInCode('VirtPlatform', property, message, 'write it like /var/lib/kubelet', 'node-path');
}

import { ApiObject, Duration, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { KubeVirtSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { KubeVirtObject } from '../generated/kubevirt-v1';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { CertificateLifetimes, renderLifetimes } from './certificate-lifetimes';
import { ComponentCustomization, renderCustomization } from './component-patches';
import { PlatformConfiguration } from './configuration';
import { PlatformImages } from './images';
import { defined } from '../defined';
import { PlatformPlacement, renderPlacement } from './placement';
import { propertyOf } from './property-of';
import { renderConfiguration } from './render-configuration';
import { secondsOf } from '../duration';

/** Treatment of VMs when the platform is removed. */
export class UninstallStrategy extends Choice {
  /** Deletes the VMs. */
  public static readonly REMOVE_WORKLOADS = UninstallStrategy.of('RemoveWorkloads');
  /** Keeps the platform as long as there are VMs. */
  public static readonly BLOCK_WITH_WORKLOADS = UninstallStrategy.of('BlockUninstallIfWorkloadsExist');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): UninstallStrategy {
    return new UninstallStrategy(value);
  }
}

/** Methods that update running guests to a new version of the platform. */
export interface WorkloadUpdate {
  /**
   * Whether guests that can migrate are migrated.
   * @default false
   */
  readonly liveMigrate?: boolean;
  /**
   * Whether guests that cannot migrate are stopped and restarted.
   * @default false
   */
  readonly evict?: boolean;
  /**
   * Number of guests that are stopped at the same time.
   * @default 10
   */
  readonly batchSize?: number;
  /**
   * Time between two batches.
   * @default Duration.minutes(1)
   */
  readonly batchInterval?: Duration;
}

/** Properties of the KubeVirt object. */
export interface KubeVirtProps extends ResourceProps {
  /**
   * Defaults and switches for all VMs.
   * @default - KubeVirt's defaults
   */
  readonly configuration?: PlatformConfiguration;
  /**
   * Placement of virt-api and virt-controller.
   * @default - anywhere
   */
  readonly infra?: PlatformPlacement;
  /**
   * Placement of virt-handler and guests.
   * @default - anywhere
   */
  readonly workloads?: PlatformPlacement;
  /**
   * Images of the platform.
   * @default - the operator's own images
   */
  readonly images?: PlatformImages;
  /**
   * What happens to VMs when this object is deleted.
   * @default UninstallStrategy.BLOCK_WITH_WORKLOADS
   */
  readonly uninstallStrategy?: UninstallStrategy;
  /**
   * Methods that update running guests to a new version of the platform.
   * @default - at their next start
   */
  readonly workloadUpdate?: WorkloadUpdate;
  /**
   * Lifetimes of the certificates that virt-operator issues.
   * @default - 7 days for the authority, 24 hours for the certificates that it signs
   */
  readonly certificates?: CertificateLifetimes;
  /**
   * Changes to the objects that virt-operator installs.
   * @default - none
   */
  readonly customizeComponents?: ComponentCustomization;
}

/**
 * Object that declares and configures the platform (`kubevirt.io/v1` KubeVirt). There is one in a cluster.
 *
 * {@link VirtPlatform} creates it; used alone, it configures an installation of KubeVirt itself. VMs of the same app
 * are validated against its configuration.
 *
 * @example
 * new KubeVirt(chart, 'kubevirt', {
 *   metadata: { name: 'kubevirt', namespace: 'kubevirt' },
 *   configuration: { featureGates: ['CPUManager'] },
 * });
 */
export class KubeVirt extends Resource {
  public readonly apiObject: ApiObject;

  private readonly props: KubeVirtProps;
  private readonly gates: string[];
  private readonly changed: () => void;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props configuration of the platform
   */
  constructor(scope: Construct, id: string, props: KubeVirtProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    this.props = props;
    this.gates = [...(props.configuration?.featureGates ?? [])];
    this.apiObject = new KubeVirtObject(this, 'Resource', {
      metadata: { name: 'kubevirt', namespace: 'kubevirt', ...props.metadata },
      spec: Lazy.any({ produce: () => this.renderSpec() }),
    });
    this.changed = validateOnSynth(this, { body: () => ({ spec: this.renderSpec() }), locate: propertyOf });
  }

  /** Feature gates that are enabled by name. */
  public get featureGates(): string[] {
    return [...this.gates];
  }

  /**
   * Enables feature gates, in addition to those that are already enabled.
   *
   * @param gates names of feature gates
   */
  public addFeatureGate(...gates: string[]): void {
    for (const gate of gates) if (!this.gates.includes(gate)) this.gates.push(gate);
    this.changed();
  }

  private renderSpec(): KubeVirtSpec {
    const { configuration = {}, images, infra, workloads, uninstallStrategy, workloadUpdate } = this.props;
    const { certificates, customizeComponents } = this.props;
    const secrets = images?.pullSecrets.map(({ name }) => ({ name })) ?? [];
    return defined({
      configuration: renderConfiguration(configuration, this.gates),
      imageRegistry: images?.registry,
      imageTag: images?.tag,
      imagePullPolicy: images?.pullPolicy?.value,
      imagePullSecrets: secrets.length > 0 ? secrets : undefined,
      infra: renderPlacement(infra),
      workloads: renderPlacement(workloads),
      uninstallStrategy: (uninstallStrategy ?? UninstallStrategy.BLOCK_WITH_WORKLOADS).value,
      workloadUpdateStrategy: workloadUpdate && renderUpdate(workloadUpdate),
      certificateRotateStrategy: renderLifetimes(certificates),
      customizeComponents: renderCustomization(customizeComponents),
    }) as KubeVirtSpec;
  }
}

function renderUpdate({ liveMigrate, evict, batchSize, batchInterval }: WorkloadUpdate): object {
  return defined({
    workloadUpdateMethods: [...(liveMigrate ? ['LiveMigrate'] : []), ...(evict ? ['Evict'] : [])],
    batchEvictionSize: batchSize,
    batchEvictionInterval: batchInterval && `${secondsOf('batchInterval', batchInterval)}s`,
  });
}

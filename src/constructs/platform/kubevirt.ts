import { ApiObject, Duration, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { KubeVirtSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { KubeVirtObject } from '../generated/kubevirt-v1';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { PlatformConfiguration } from './configuration';
import { PlatformImages } from './images';
import { said } from './objects';
import { PlatformPlacement, renderPlacement } from './placement';
import { propertyOf } from './property-of';
import { renderConfiguration } from './render-configuration';
import { secondsOf } from '../duration';

/** What becomes of VMs when the platform is removed. */
export class UninstallStrategy extends Choice {
  /** They are removed with it. */
  public static readonly REMOVE_WORKLOADS = UninstallStrategy.of('RemoveWorkloads');
  /** As long as there are any, the platform stays. */
  public static readonly BLOCK_WITH_WORKLOADS = UninstallStrategy.of('BlockUninstallIfWorkloadsExist');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): UninstallStrategy {
    return new UninstallStrategy(value);
  }
}

/** How running guests get a new version of the platform. */
export interface WorkloadUpdate {
  /**
   * Guests that can migrate do.
   * @default false
   */
  readonly liveMigrate?: boolean;
  /**
   * Guests that cannot migrate are stopped and start again.
   * @default false
   */
  readonly evict?: boolean;
  /**
   * Guests that are stopped at once.
   * @default 10
   */
  readonly batchSize?: number;
  /**
   * Time between two batches.
   * @default Duration.minutes(1)
   */
  readonly batchInterval?: Duration;
}

/** What the platform's own object says. */
export interface KubeVirtProps extends ResourceProps {
  /**
   * Defaults and switches for all VMs.
   * @default - KubeVirt's
   */
  readonly configuration?: PlatformConfiguration;
  /**
   * Where virt-api and virt-controller run.
   * @default - anywhere
   */
  readonly infra?: PlatformPlacement;
  /**
   * Where virt-handler and guests run.
   * @default - anywhere
   */
  readonly workloads?: PlatformPlacement;
  /**
   * Images of the platform.
   * @default - those of the operator that looks after it
   */
  readonly images?: PlatformImages;
  /**
   * What becomes of VMs when this object is deleted.
   * @default UninstallStrategy.BLOCK_WITH_WORKLOADS
   */
  readonly uninstallStrategy?: UninstallStrategy;
  /**
   * How running guests get a new version of the platform.
   * @default - at their next start
   */
  readonly workloadUpdate?: WorkloadUpdate;
}

/**
 * The platform's own object: what runs, and its configuration (`kubevirt.io/v1` KubeVirt). There is one in a cluster.
 * {@link VirtPlatform} makes it; by itself it configures an installation of KubeVirt's. VMs of the same app are judged by
 * its configuration.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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

  /** Feature gates that are switched on by name. */
  public get featureGates(): string[] {
    return [...this.gates];
  }

  /**
   * Switches feature gates on; those that are on already stay.
   *
   * @param gates names of feature gates
   */
  public addFeatureGate(...gates: string[]): void {
    for (const gate of gates) if (!this.gates.includes(gate)) this.gates.push(gate);
    this.changed();
  }

  private renderSpec(): KubeVirtSpec {
    const { configuration = {}, images, infra, workloads, uninstallStrategy, workloadUpdate } = this.props;
    const secrets = images?.pullSecrets.map(({ name }) => ({ name })) ?? [];
    return said({
      configuration: renderConfiguration(configuration, this.gates),
      imageRegistry: images?.registry,
      imageTag: images?.tag,
      imagePullPolicy: images?.pullPolicy?.value,
      imagePullSecrets: secrets.length > 0 ? secrets : undefined,
      infra: renderPlacement(infra),
      workloads: renderPlacement(workloads),
      uninstallStrategy: (uninstallStrategy ?? UninstallStrategy.BLOCK_WITH_WORKLOADS).value,
      workloadUpdateStrategy: workloadUpdate && renderUpdate(workloadUpdate),
    }) as KubeVirtSpec;
  }
}

function renderUpdate({ liveMigrate, evict, batchSize, batchInterval }: WorkloadUpdate): object {
  return said({
    workloadUpdateMethods: [...(liveMigrate ? ['LiveMigrate'] : []), ...(evict ? ['Evict'] : [])],
    batchEvictionSize: batchSize,
    batchEvictionInterval: batchInterval && `${secondsOf('batchInterval', batchInterval)}s`,
  });
}

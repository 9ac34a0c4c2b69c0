import { ApiObject, Duration, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ExperimentalMigrationOptions } from '../../api/generated/kubevirt-v1';
import type { MigrationPolicySpec } from '../../api/generated/migrations-v1alpha1';
import { defined } from '../defined';
import { MigrationPolicyObject } from '../generated/migrations-v1alpha1';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { quantityOfSize } from '../storage/size';
import { validateOnSynth } from '../validation';
import { secondsOf } from '../duration';
import type { MigrationCompression } from './choices';

/** How the allowed downtime grows during a migration. Needs the feature gate MigrationDowntimeTuning. */
export interface MigrationDowntimeTuning {
  /**
   * Downtime that is allowed at first.
   * @default - 150 milliseconds
   */
  readonly initial?: Duration;
  /**
   * Equal steps up to `maxDowntime`.
   * @default 7
   */
  readonly steps?: number;
  /**
   * Least time between two steps, in whole seconds.
   * @default - 10 seconds
   */
  readonly cooldown?: Duration;
  /**
   * Copies of the memory before the first step.
   * @default 3
   */
  readonly startAfterIteration?: number;
}

/** When a migration counts as stalled, and what then. Needs the feature gate MigrationStallDetection. */
export interface MigrationStallDetector {
  /**
   * Time that is looked at, in whole seconds.
   * @default - 40 seconds
   */
  readonly progressTimeout?: Duration;
  /**
   * Percent by which what is left must shrink in that time to count as progress, 0 to 100.
   * @default 4
   */
  readonly margin?: number;
  /**
   * How long a forced switch may take, in whole seconds.
   * @default - 60 seconds
   */
  readonly switchoverTimeout?: Duration;
  /**
   * Whether a forced switch waits until little is left.
   * @default true
   */
  readonly searchLocalMinima?: boolean;
  /**
   * Weight of the newest sample of the bandwidth, above 0 up to 1, at most 3 decimal places.
   * @default 0.4
   */
  readonly ewmaAlpha?: number;
  /**
   * How much longer than `maxDowntime` the guest may stand still rather than the migration fail, from 1.
   * @default 1.5
   */
  readonly precopyPossibleFactor?: number;
  /**
   * Factor by which patience shrinks at each step, 0 to 1.
   * @default 0.5
   */
  readonly patienceWindowDecayFactor?: number;
  /**
   * Factor of the time that a migration may take before a switch is forced, from 1.
   * @default 2
   */
  readonly completionTimeoutFactor?: number;
}

/** What a migration policy takes. What it does not say is as in the KubeVirt object. */
export interface MigrationPolicyProps extends ResourceProps {
  /**
   * Labels of the instances that it is for; they must have all. A VM gives its `instanceMetadata` to its instance.
   * @default - any, when there are labels of namespaces
   */
  readonly instanceLabels?: { readonly [label: string]: string };
  /**
   * Labels of the namespaces that it is for; they must have all.
   * @default - any, when there are labels of instances
   */
  readonly namespaceLabels?: { readonly [label: string]: string };
  /**
   * How much one migration sends in a second; zero is no limit.
   * @default - as in the KubeVirt object
   */
  readonly bandwidthPerMigration?: Size;
  /**
   * Time for each GiB of memory and disk, in whole seconds, after which a migration is aborted, or whatever is allowed
   * here instead.
   * @default - as in the KubeVirt object
   */
  readonly completionTimeoutPerGib?: Duration;
  /**
   * Slow the guest's CPUs down when it writes memory faster than it can be sent.
   * @default - as in the KubeVirt object
   */
  readonly allowAutoConverge?: boolean;
  /**
   * Let the guest run on at the target while memory is still being fetched, once the time is up.
   * @default - as in the KubeVirt object
   */
  readonly allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once the time is up.
   * @default - as in the KubeVirt object
   */
  readonly allowWorkloadDisruption?: boolean;
  /**
   * How long the guest may stand still at the end. Needs the feature gate MigrationStallDetection or
   * MigrationDowntimeTuning.
   * @default - as in the KubeVirt object
   */
  readonly maxDowntime?: Duration;
  /**
   * Compression of what is sent. Experimental in KubeVirt.
   * @default MigrationCompression.NONE
   */
  readonly compression?: MigrationCompression;
  /**
   * How the allowed downtime grows. May change or vanish; not together with `stallDetector`.
   * @default - as in the KubeVirt object
   */
  readonly downtimeTuning?: MigrationDowntimeTuning;
  /**
   * When a migration counts as stalled. May change or vanish.
   * @default - as in the KubeVirt object
   */
  readonly stallDetector?: MigrationStallDetector;
}

/**
 * Settings of live migrations for the guests that it selects (`migrations.kubevirt.io/v1alpha1` MigrationPolicy). Of
 * several that match, the one with the most matching labels counts. Belongs to the cluster, not to a namespace.
 *
 * @example
 * new MigrationPolicy(chart, 'databases', {
 *   instanceLabels: { tier: 'database' },
 *   bandwidthPerMigration: Size.mebibytes(256),
 *   allowAutoConverge: true,
 * });
 */
export class MigrationPolicy extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props guests, and how they migrate
   */
  constructor(scope: Construct, id: string, props: MigrationPolicyProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = renderPolicy(props);
    this.apiObject = new MigrationPolicyObject(this, 'Resource', { metadata: props.metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}

function renderPolicy(props: MigrationPolicyProps): MigrationPolicySpec {
  const { instanceLabels, namespaceLabels, bandwidthPerMigration } = props;
  return defined({
    selectors: defined({
      virtualMachineInstanceSelector: instanceLabels && { ...instanceLabels },
      namespaceSelector: namespaceLabels && { ...namespaceLabels },
    }),
    bandwidthPerMigration: bandwidthPerMigration && quantityOfSize(bandwidthPerMigration),
    completionTimeoutPerGiB: secondsOf('completionTimeoutPerGib', props.completionTimeoutPerGib),
    allowAutoConverge: props.allowAutoConverge,
    allowPostCopy: props.allowPostCopy,
    allowWorkloadDisruption: props.allowWorkloadDisruption,
    maxDowntimeMs: props.maxDowntime?.toMilliseconds(),
    experimental: renderExperimental(props),
  });
}

function renderExperimental({
  compression,
  downtimeTuning,
  stallDetector,
}: MigrationPolicyProps): ExperimentalMigrationOptions | undefined {
  const options: ExperimentalMigrationOptions = defined({
    compression: compression?.value as ExperimentalMigrationOptions['compression'],
    downtimeTuning:
      downtimeTuning &&
      defined({
        initialMs: downtimeTuning.initial?.toMilliseconds(),
        steps: downtimeTuning.steps,
        cooldownSeconds: secondsOf('cooldown', downtimeTuning.cooldown),
        startAfterIteration: downtimeTuning.startAfterIteration,
      }),
    stallDetector:
      stallDetector &&
      defined({
        stallProgressTimeout: secondsOf('progressTimeout', stallDetector.progressTimeout),
        stallMargin: stallDetector.margin,
        switchoverTimeout: secondsOf('switchoverTimeout', stallDetector.switchoverTimeout),
        searchLocalMinima: stallDetector.searchLocalMinima,
        ewmaAlpha: factor(stallDetector.ewmaAlpha),
        precopyPossibleFactor: factor(stallDetector.precopyPossibleFactor),
        patienceWindowDecayFactor: factor(stallDetector.patienceWindowDecayFactor),
        completionTimeoutFactor: factor(stallDetector.completionTimeoutFactor),
      }),
  });
  return Object.keys(options).length > 0 ? options : undefined;
}

/** A quantity: Kubernetes keeps fractions as text. */
const factor = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

const properties: readonly (readonly [RegExp, string])[] = [
  [/^spec\.selectors\.virtualMachineInstanceSelector\b/, 'instanceLabels'],
  [/^spec\.selectors\.namespaceSelector\b/, 'namespaceLabels'],
  [/^spec\.completionTimeoutPerGiB$/, 'completionTimeoutPerGib'],
  [/^spec\.maxDowntimeMs$/, 'maxDowntime'],
  [/^spec\.experimental\.(\w+).*/, '$1'],
  [/^spec\.(bandwidthPerMigration|allow\w+)$/, '$1'],
];

function locate(field: string): string | undefined {
  const found = properties.find(([pattern]) => pattern.test(field));
  return found && field.replace(...found);
}

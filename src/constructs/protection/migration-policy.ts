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
import { withSubject } from '../subject';
import type { MigrationCompression } from './choices';

/** How the allowed downtime grows during a migration. Requires the feature gate MigrationDowntimeTuning. */
export interface MigrationDowntimeTuning {
  /**
   * Initial allowed downtime.
   * @default - 150 milliseconds
   */
  readonly initial?: Duration;
  /**
   * Number of equal steps up to `maxDowntime`.
   * @default 7
   */
  readonly steps?: number;
  /**
   * Minimum time between two steps, in whole seconds.
   * @default - 10 seconds
   */
  readonly cooldown?: Duration;
  /**
   * Number of memory copies before the first step.
   * @default 3
   */
  readonly startAfterIteration?: number;
}

/** When a migration counts as stalled, and how it continues. Requires the feature gate MigrationStallDetection. */
export interface MigrationStallDetector {
  /**
   * Period over which progress is measured, in whole seconds.
   * @default - 40 seconds
   */
  readonly progressTimeout?: Duration;
  /**
   * Percentage by which the remaining data must shrink in that period to count as progress, 0 to 100.
   * @default 4
   */
  readonly margin?: number;
  /**
   * Maximum duration of a forced switchover, in whole seconds.
   * @default - 60 seconds
   */
  readonly switchoverTimeout?: Duration;
  /**
   * Whether a forced switchover waits until little data remains.
   * @default true
   */
  readonly searchLocalMinima?: boolean;
  /**
   * Weight of the newest bandwidth sample, above 0 and up to 1, with at most 3 decimal places.
   * @default 0.4
   */
  readonly ewmaAlpha?: number;
  /**
   * Multiple of `maxDowntime` for which the guest may be paused before the migration fails, from 1.
   * @default 1.5
   */
  readonly precopyPossibleFactor?: number;
  /**
   * Factor by which the waiting time shrinks at each step, 0 to 1.
   * @default 0.5
   */
  readonly patienceWindowDecayFactor?: number;
  /**
   * Multiple of the completion timeout after which a switchover is forced, from 1.
   * @default 2
   */
  readonly completionTimeoutFactor?: number;
}

/** Properties of a migration policy. Unset properties keep the settings of the KubeVirt object. */
export interface MigrationPolicyProps extends ResourceProps {
  /**
   * Labels of the instances to which the policy applies; an instance must have all of them. A VM passes its
   * `instanceMetadata` on to its instance.
   * @default - any instance, if `namespaceLabels` is set
   */
  readonly instanceLabels?: { readonly [label: string]: string };
  /**
   * Labels of the namespaces to which the policy applies; a namespace must have all of them.
   * @default - any namespace, if `instanceLabels` is set
   */
  readonly namespaceLabels?: { readonly [label: string]: string };
  /**
   * Bandwidth of one migration, per second. Zero means unlimited.
   * @default - the setting of the KubeVirt object
   */
  readonly bandwidthPerMigration?: Size;
  /**
   * Time for each GiB of memory and disk, in whole seconds. After it, the migration is aborted, or continues with what
   * `allowPostCopy` or `allowWorkloadDisruption` permits.
   * @default - the setting of the KubeVirt object
   */
  readonly completionTimeoutPerGib?: Duration;
  /**
   * Whether the guest's CPUs are slowed down when the guest writes memory faster than it can be sent.
   * @default - the setting of the KubeVirt object
   */
  readonly allowAutoConverge?: boolean;
  /**
   * Whether the guest continues on the target after the timeout while its memory is still being copied.
   * @default - the setting of the KubeVirt object
   */
  readonly allowPostCopy?: boolean;
  /**
   * Whether the guest is paused, or post-copy is used, after the timeout.
   * @default - the setting of the KubeVirt object
   */
  readonly allowWorkloadDisruption?: boolean;
  /**
   * Maximum time for which the guest is paused at the end. Requires the feature gate MigrationStallDetection or
   * MigrationDowntimeTuning.
   * @default - the setting of the KubeVirt object
   */
  readonly maxDowntime?: Duration;
  /**
   * Compression of the data that is sent. Experimental in KubeVirt.
   * @default MigrationCompression.NONE
   */
  readonly compression?: MigrationCompression;
  /**
   * How the allowed downtime grows. Experimental in KubeVirt. Cannot be combined with `stallDetector`.
   * @default - the setting of the KubeVirt object
   */
  readonly downtimeTuning?: MigrationDowntimeTuning;
  /**
   * When a migration counts as stalled. Experimental in KubeVirt.
   * @default - the setting of the KubeVirt object
   */
  readonly stallDetector?: MigrationStallDetector;
}

/**
 * Live migration settings for selected guests (`migrations.kubevirt.io/v1alpha1` MigrationPolicy). If several policies
 * match, the one with the most matching labels applies. The object is cluster-scoped.
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
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props guests and how they migrate
   */
  constructor(scope: Construct, id: string, props: MigrationPolicyProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = withSubject(this.node.path, () => renderPolicy(props));
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

/** Returns a quantity: Kubernetes writes fractions as strings. */
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

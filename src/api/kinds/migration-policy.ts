import type { ClusterConfig } from '../cluster-config';
import { Finding, Path, root } from '../findings';
import type { MigrationPolicy, MigrationPolicySpec } from '../generated/migrations-v1alpha1';
import type { Quantity } from '../generated/meta-v1';
import { canonicalQuantity, compareQuantities, tryParseQuantity } from '../quantity';
import type { KindAdmission } from './kind';
import { refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec = root.at('spec');
const experimental = spec.at('experimental');

export const migrationPolicyAdmission: KindAdmission<MigrationPolicy> = shaped(
  {
    create: (policy, { config }) => policyRules(policy.spec, undefined, config),
    update: (policy, old, { config }) => policyRules(policy.spec, old.spec, config),
  },
  'lenient',
);

function policyRules(
  policy: MigrationPolicySpec,
  old: MigrationPolicySpec | undefined,
  config: ClusterConfig,
): Finding[] {
  const { completionTimeoutPerGiB: timeout, bandwidthPerMigration: bandwidth } = policy;
  const stallDetector = policy.experimental?.stallDetector;
  const downtimeTuning = policy.experimental?.downtimeTuning;
  return [
    ...when(timeout !== undefined && timeout < 0, negative(spec.at('completionTimeoutPerGiB'), timeout)),
    ...gated(config, spec.at('maxDowntimeMs'), 'maxDowntimeMs', policy.maxDowntimeMs, old?.maxDowntimeMs, [
      'MigrationStallDetection',
      'MigrationDowntimeTuning',
    ]),
    ...gated(
      config,
      experimental.at('downtimeTuning'),
      'experimental.downtimeTuning',
      downtimeTuning,
      old?.experimental?.downtimeTuning,
      ['MigrationDowntimeTuning'],
    ),
    ...when(
      stallDetector && downtimeTuning,
      refusal(
        'one-downtime-schedule',
        experimental,
        'experimental.stallDetector and experimental.downtimeTuning are mutually exclusive; the stall detection path ' +
          'manages its own downtime schedule',
        'keep one',
      ),
    ),
    ...gated(
      config,
      experimental.at('stallDetector'),
      'experimental.stallDetector',
      stallDetector,
      old?.experimental?.stallDetector,
      ['MigrationStallDetection'],
    ),
    ...(stallDetector
      ? factors.flatMap(([field, low, high, above]) =>
          factor(stallDetector[field], experimental.at('stallDetector', field), low, high, above),
        )
      : []),
    ...when(
      bandwidth !== undefined && tryParseQuantity(bandwidth) && compareQuantities(bandwidth, 0) < 0,
      negative(spec.at('bandwidthPerMigration'), bandwidth),
    ),
  ];
}

const negative = (at: Path, got: unknown): Finding =>
  refusal('not-negative', at, 'must not be negative', 'write 0 or more', { value: got });

/** Rejects changes of a field unless one of these gates is on. */
function gated(
  config: ClusterConfig,
  at: Path,
  name: string,
  now: unknown,
  was: unknown,
  gates: readonly ('MigrationStallDetection' | 'MigrationDowntimeTuning')[],
): Finding[] {
  return when(
    now !== undefined && !semanticDeepEqual(now, was) && !gates.some((gate) => config.hasGate(gate)),
    refusal(
      'migration-tuning-gate',
      at,
      `${name} cannot be modified without enabling the ${gates.join(' or ')} feature gate`,
      `add ${gates.join(' or ')} to spec.configuration.developerConfiguration.featureGates of the KubeVirt object`,
      { value: now, gates },
    ),
  );
}

/** Field, minimum, maximum, and whether the minimum is exclusive. */
const factors = [
  ['ewmaAlpha', 0, 1, true],
  ['precopyPossibleFactor', 1, Infinity, false],
  ['patienceWindowDecayFactor', 0, 1, false],
  ['completionTimeoutFactor', 1, Infinity, false],
] as const;

const DECIMALS = 3;

function factor(got: Quantity | undefined, at: Path, low: number, high: number, above: boolean): Finding[] {
  const parsed = tryParseQuantity(got);
  if (!parsed) return [];
  const range = `a number ${above ? 'above' : 'from'} ${low}${high === Infinity ? '' : ` to ${high}`}`;
  const no = (message: string): Finding[] => [
    refusal('stall-detector-factor', at, message, `write ${range}`, { value: got }),
  ];
  const shown = JSON.stringify(canonicalQuantity(got));
  if (parsed.nanos < 0n) return no(`invalid scalar ${shown}: must not be negative`);
  const value = Number(parsed.nanos) / 1e9;
  if (Math.abs(value - Number(value.toFixed(DECIMALS))) > 1e-9) {
    return no(`invalid scalar ${shown}: must have at most ${DECIMALS} decimal places`);
  }
  if (above && value <= low) return no(`must be greater than ${low}`);
  if (!above && value < low) return no(`must be greater than or equal to ${low}`);
  return value > high ? no(`must be less than or equal to ${high}`) : [];
}

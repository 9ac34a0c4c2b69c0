import { parseDuration } from '../duration';
import { Finding, type Message, named, Path, root, text } from '../findings';
import { gateIsOn, gateNotice, type FeatureGate } from '../feature-gates';
import type {
  KubeVirt,
  KubeVirtConfiguration,
  KubeVirtSelfSignConfiguration,
  KubeVirtSpec,
} from '../generated/kubevirt-v1';
import { isJson } from './clone';
import type { AdmissionContext, KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';
import { placementRules } from './placement';
import { tlsCiphers } from './tls-ciphers';
import { mistakesOf } from '../mistakes';

const spec = root.at('spec');
const configuration = spec.at('configuration');

export const kubeVirtAdmission: KindAdmission<KubeVirt> = shaped<KubeVirt>(
  {
    create: (kubeVirt, context) =>
      first(
        () => onlyOne(kubeVirt, context),
        () => specRules(kubeVirt.spec ?? {}, {}),
      ),
    update: (kubeVirt, old) => specRules(kubeVirt.spec ?? {}, old.spec ?? {}),
    delete: workloadsAreGone,
    warnings: (kubeVirt, _context, old) => specWarnings(kubeVirt.spec ?? {}, old?.spec ?? {}),
  },
  'strict',
);

function onlyOne({ metadata }: KubeVirt, { list }: AdmissionContext): Finding[] {
  const other = list('KubeVirt', undefined).find(
    (each) => each.metadata.name !== metadata.name || each.metadata.namespace !== metadata.namespace,
  );
  return when(
    other,
    refusal(
      'one-kubevirt',
      root.at('metadata', 'name'),
      'Kubevirt is already created',
      `change ${other?.metadata.namespace}/${other?.metadata.name} instead`,
      { field: '' },
    ),
  );
}

function specRules(now: KubeVirtSpec, was: KubeVirtSpec): Finding[] {
  const config = now.configuration ?? {};
  const before = was.configuration ?? {};
  const changed = (pick: (of: KubeVirtSpec) => unknown): boolean => !semanticDeepEqual(pick(now), pick(was));
  return [
    ...patches(now),
    ...certificates(now.certificateRotateStrategy?.selfSigned),
    ...overheadRatio(config),
    ...gatedConfiguration(config),
    ...downtime(config, before),
    ...(changed((of) => of.configuration?.tlsConfiguration) ? tls(config) : []),
    ...(changed((of) => of.infra) ? placementRules(now.infra?.nodePlacement, spec.at('infra', 'nodePlacement')) : []),
    ...(changed((of) => of.workloads)
      ? placementRules(now.workloads?.nodePlacement, spec.at('workloads', 'nodePlacement'))
      : []),
    ...(changed((of) => of.configuration?.seccompConfiguration) ? seccomp(config) : []),
    ...when(
      now.infra?.replicas === 0,
      refusal('infra-replicas', spec.at('infra', 'replicas'), "infra replica count can't be 0", 'write 1 or more', {
        value: 0,
        field: '',
      }),
    ),
    ...(gatesChanged(now, was) ? contradictingGates(config) : []),
  ];
}

function patches({ customizeComponents }: KubeVirtSpec): Finding[] {
  return mistakesOf(customizeComponents?.patches ?? [], ({ patch }, i) =>
    when(
      !isJson(patch),
      refusal(
        'component-patch',
        spec.at('customizeComponents', 'patches', i, 'patch'),
        `patch ${JSON.stringify(patch)} is not valid JSON`,
        'write JSON',
        { value: patch, type: 'FieldValueNotSupported', field: '' },
      ),
    ),
  );
}

const DAY = 24 * 36e5;

/** Certificates must be renewed before they expire, and must not outlive their issuer. */
function certificates(given: KubeVirtSelfSignConfiguration | undefined): Finding[] {
  if (!given) return [];
  const at = spec.at('certificateRotateStrategy', 'selfSigned');
  const errors: Finding[] = [];
  const read = (text: string | undefined, ...where: string[]): number | undefined => {
    const value = text === undefined ? undefined : parseDuration(text);
    if (text !== undefined && value === undefined) {
      errors.push(
        refusal('duration', at.at(...where), `time: invalid duration ${JSON.stringify(text)}`, 'write it like 24h', {
          value: text,
          field: '',
        }),
      );
    }
    return value;
  };
  const rotateCa = read(given.caRotateInterval, 'caRotateInterval');
  const overlapCa = read(given.caOverlapInterval, 'caOverlapInterval');
  const rotate = read(given.certRotateInterval, 'certRotateInterval');
  const ca = rotateCa ?? read(given.ca?.duration, 'ca', 'duration') ?? 7 * DAY;
  const caRenew = overlapCa ?? read(given.ca?.renewBefore, 'ca', 'renewBefore') ?? ca * 0.2;
  const server = rotate ?? read(given.server?.duration, 'server', 'duration') ?? DAY;
  const serverRenew = read(given.server?.renewBefore, 'server', 'renewBefore') ?? server * 0.2;
  const [caEnd, caRenewal] = [at.at('ca', 'duration'), at.at('ca', 'renewBefore')];
  const [serverEnd, serverRenewal] = [at.at('server', 'duration'), at.at('server', 'renewBefore')];
  const bad = (longer: Path, shorter: Path, message: Message): Finding => {
    const remedy = text`shorten ${named(longer, 2)} or lengthen ${named(shorter, 2)}`;
    return refusal('certificate-duration', longer, message, remedy, { field: '' });
  };
  const conflict =
    (given.caRotateInterval ?? given.certRotateInterval ?? given.caOverlapInterval) && (given.ca || given.server);
  return [
    ...errors,
    ...when(
      conflict,
      refusal(
        'certificate-intervals',
        at,
        'caRotateInterval, certRotateInterval and caOverlapInterval are deprecated and conflict with CertConfig ' +
          'defined rotation parameters',
        'keep ca and server',
        { type: 'FieldValueNotSupported', field: '' },
      ),
    ),
    ...when(ca < caRenew, bad(caRenewal, caEnd, text`CA RenewBefore cannot exceed Duration (${caEnd} < ${caRenewal})`)),
    ...when(
      server < serverRenew,
      bad(serverRenewal, serverEnd, text`Cert RenewBefore cannot exceed Duration (${serverEnd} < ${serverRenewal})`),
    ),
    ...when(server > ca, bad(serverEnd, caEnd, text`Certificate duration cannot exceed CA (${serverEnd} > ${caEnd})`)),
  ];
}

function overheadRatio({ additionalGuestMemoryOverheadRatio: got }: KubeVirtConfiguration): Finding[] {
  if (got === undefined) return [];
  const no = (message: string): Finding[] => [
    refusal('overhead-ratio', configuration.at('additionalGuestMemoryOverheadRatio'), message, 'write "1.0" or more', {
      value: got,
      type: 'FieldValueNotSupported',
      field: '',
    }),
  ];
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(got)) {
    return no(`ratio provided, ${got}, cannot be parsed into float`);
  }
  return Number(got) < 1 ? no(`ratio provided, ${got}, cannot be smaller than 1.0`) : [];
}

const hasGate = ({ developerConfiguration: given }: KubeVirtConfiguration, gate: FeatureGate): boolean =>
  gateIsOn(gate, given?.featureGates ?? [], given?.disabledFeatureGates ?? []);

/** Reports configuration that requires a feature gate which this object does not enable. */
function gatedConfiguration(config: KubeVirtConfiguration): Finding[] {
  const { virtTemplateDeployment, roleAggregationStrategy } = config;
  return [
    ...when(
      virtTemplateDeployment?.enabled && !hasGate(config, 'Template'),
      refusal(
        'gate-template',
        configuration.at('virtTemplateDeployment', 'enabled'),
        'VirtTemplateDeployment cannot be enabled without enabling the Template feature gate',
        'remove Template from disabledFeatureGates',
      ),
    ),
    ...when(
      roleAggregationStrategy === 'Manual' && !hasGate(config, 'OptOutRoleAggregation'),
      refusal(
        'gate-role-aggregation',
        configuration.at('roleAggregationStrategy'),
        'RoleAggregationStrategy cannot be set to Manual without enabling the OptOutRoleAggregation feature gate',
        'remove OptOutRoleAggregation from disabledFeatureGates',
      ),
    ),
  ];
}

function downtime(now: KubeVirtConfiguration, was: KubeVirtConfiguration): Finding[] {
  const got = now.migrations?.maxDowntimeMs;
  return when(
    got !== undefined &&
      got !== was.migrations?.maxDowntimeMs &&
      !hasGate(now, 'MigrationStallDetection') &&
      !hasGate(now, 'MigrationDowntimeTuning'),
    refusal(
      'migration-tuning-gate',
      configuration.at('migrations', 'maxDowntimeMs'),
      text`${named(configuration.at('migrations', 'maxDowntimeMs'), 1)} cannot be modified without enabling the MigrationStallDetection or MigrationDowntimeTuning feature gate`,
      text`add one of them to ${named(configuration.at('developerConfiguration', 'featureGates'), 2)}`,
      { value: got, field: 'spec.configuration.migrationConfiguration.maxDowntimeMs' },
    ),
  );
}

function tls({ tlsConfiguration }: KubeVirtConfiguration): Finding[] {
  const { minTLSVersion, ciphers = [] } = tlsConfiguration ?? {};
  const at = configuration.at('tlsConfiguration', 'ciphers');
  const type = 'FieldValueNotSupported';
  const least = configuration.at('tlsConfiguration', 'minTLSVersion');
  if (!minTLSVersion || minTLSVersion === 'VersionTLS13') {
    return when(
      ciphers.length > 0,
      refusal(
        'tls-ciphers',
        at,
        text`You cannot specify ciphers when ${least} is empty or VersionTLS13`,
        text`remove ciphers, or set ${named(least, 1)} to VersionTLS12`,
        { value: ciphers, type },
      ),
    );
  }
  return mistakesOf(ciphers, (got, i) =>
    when(
      !tlsCiphers.includes(got),
      refusal('tls-cipher', at.at(i), `${got} is not a valid cipher`, 'use one of the allowed names', {
        value: got,
        allowed: tlsCiphers,
        type,
        field: `${at}#${i}`,
      }),
    ),
  );
}

function seccomp({ seccompConfiguration }: KubeVirtConfiguration): Finding[] {
  const profile = seccompConfiguration?.virtualMachineInstanceProfile;
  if (!profile) return [];
  const at = configuration.at('seccompConfiguration', 'virtualMachineInstanceProfile', 'customProfile');
  const custom = profile.customProfile;
  if (!custom) {
    return [refusal('seccomp-profile', at, `${at} needs to be set`, 'set localhostProfile or runtimeDefaultProfile')];
  }
  if (custom.localhostProfile === undefined || !custom.runtimeDefaultProfile) return [];
  const both = [at.at('localhostProfile'), at.at('runtimeDefaultProfile')];
  return both.map((own, i) =>
    refusal('seccomp-one', own, text`${own} cannot be set when ${both[1 - i]} is set`, 'keep one'),
  );
}

const gatesOf = ({ configuration: given }: KubeVirtSpec) => given?.developerConfiguration;

function gatesChanged(now: KubeVirtSpec, was: KubeVirtSpec): boolean {
  if (!gatesOf(now)) return false;
  return (['featureGates', 'disabledFeatureGates'] as const).some(
    (list) => !semanticDeepEqual(gatesOf(now)?.[list], gatesOf(was)?.[list]),
  );
}

function contradictingGates({ developerConfiguration: given }: KubeVirtConfiguration): Finding[] {
  const disabled = given?.disabledFeatureGates ?? [];
  return mistakesOf(given?.featureGates ?? [], (gate, i) =>
    when(
      disabled.includes(gate),
      refusal(
        'gate-contradiction',
        configuration.at('developerConfiguration', 'featureGates', i),
        `feature gate "${gate}" exists on both "FeatureGates" and "DisabledFeatureGates"`,
        'keep one',
        { value: gate, type: 'FieldValueForbidden', field: 'spec.configuration.developerConfiguration.featureGates' },
      ),
    ),
  );
}

const WORKLOADS = {
  VirtualMachineInstance: 'Virtual Machine Instances',
  VirtualMachine: 'Virtual Machines',
  VirtualMachineInstanceReplicaSet: 'Virtual Machine Instance Replica Sets',
} as const;

/** Rejects the uninstallation while there are workloads, if the uninstall strategy requires it. */
function workloadsAreGone({ spec: given, status }: KubeVirt, { list }: AdmissionContext): Finding[] {
  if (given?.uninstallStrategy !== 'BlockUninstallIfWorkloadsExist' || status?.phase !== 'Deployed') return [];
  // one is enough: a cluster has thousands, and every client of the webhook could repeat the request
  const left = Object.entries(WORKLOADS).find(([kind]) => list(kind, undefined, { most: 1 }).length > 0);
  return when(
    left,
    refusal(
      'uninstall-blocked',
      spec.at('uninstallStrategy'),
      `Rejecting the uninstall request, since there are still ${left?.[1]} present. Either delete all KubeVirt ` +
        'related workloads or change the uninstall strategy before uninstalling KubeVirt.',
      'delete the workloads, or set uninstallStrategy to RemoveWorkloads',
      { field: '' },
    ),
  );
}

function specWarnings(now: KubeVirtSpec, was: KubeVirtSpec): string[] {
  const gates = gatesChanged(now, was) ? (gatesOf(now)?.featureGates ?? []) : [];
  const devices = now.configuration?.mediatedDevicesConfiguration;
  const at = configuration.at('mediatedDevicesConfiguration');
  const old = [
    ...(devices?.mediatedDevicesTypes ? [at.at('mediatedDevicesTypes')] : []),
    ...(devices?.nodeMediatedDeviceTypes ?? []).flatMap((node, i) =>
      node.mediatedDevicesTypes ? [at.at('nodeMediatedDeviceTypes', i, 'mediatedDevicesTypes')] : [],
    ),
  ];
  return [
    ...gates.map(gateNotice).filter((notice) => notice !== undefined),
    ...old.map((path) => `${path} is deprecated, use mediatedDeviceTypes`),
    ...(now.configuration?.architectureConfiguration?.ppc64le
      ? ['spec.configuration.architectureConfiguration.ppc64le is deprecated and no longer supported.']
      : []),
  ];
}

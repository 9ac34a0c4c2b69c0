import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path, RuleId } from '../findings';
import type { LaunchSecurity, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { gateOff, InstanceRule, mistake } from './rule';

/** Validates confidential guests: their gates, and the features that they exclude. */
export const launchSecurityIsServed: InstanceRule = (spec, at, config) => {
  const security = spec.domain.launchSecurity;
  if (!security || spec.architecture === 's390x') return [];
  const path = at.at('domain', 'launchSecurity');
  if (spec.architecture === 'amd64') return amd64(security, spec, path, `${at.at('launchSecurity')}`, config);
  const message = `No launchSecurity support for architecture: ${spec.architecture ?? ''}`;
  return mistake('launch-security-architecture', path, message, 'remove launchSecurity, or use amd64 or s390x', {
    field: `${at.at('architecture')}`,
  });
};

function amd64(
  security: LaunchSecurity,
  spec: VirtualMachineInstanceSpec,
  path: Path,
  field: string,
  config: ClusterConfig,
): Finding[] {
  const kinds = (['sev', 'snp', 'tdx'] as const).filter((kind) => security[kind]);
  if (kinds.length !== 1) {
    const message = 'One and only one launchSecurity type can be set';
    const remedy = kinds.length ? `keep one of ${kinds.join(', ')}` : 'add sev, snp or tdx';
    return mistake('launch-security-one', path, message, remedy, { type: 'FieldValueForbidden', field });
  }
  const kind = kinds[0];
  const gate = kind === 'tdx' ? 'WorkloadEncryptionTDX' : 'WorkloadEncryptionSEV';
  if (!config.hasGate(gate)) {
    const message = `${gate} feature gate is not enabled in kubevirt-config`;
    return gateOff('gate-launch-security', path, message, gate, { field });
  }
  return obstacles(kind, security, spec).flatMap(([rule, message, remedy]) =>
    mistake(rule, path, message, remedy, { field }),
  );
}

type Obstacle = [rule: RuleId, message: string, remedy: string];

function obstacles(
  kind: 'sev' | 'snp' | 'tdx',
  { sev }: LaunchSecurity,
  { domain, startStrategy }: VirtualMachineInstanceSpec,
): Obstacle[] {
  const name = kind.toUpperCase();
  const { features, firmware, devices } = domain;
  const efi = firmware?.bootloader?.efi;
  const found: Obstacle[] = [];
  if (kind === 'tdx' && features?.smm && features.smm.enabled !== false) {
    found.push(['launch-security-smm', 'TDX does not work along with SMM', 'remove features.smm']);
  }
  if (!efi) {
    found.push([
      'launch-security-efi',
      `${name} requires OVMF (UEFI)`,
      'set firmware.bootloader.efi: {secureBoot: false}',
    ]);
  } else {
    if (kind !== 'tdx' && efi.secureBoot !== false) {
      found.push([
        'launch-security-secure-boot',
        `${name} does not work along with SecureBoot`,
        'set efi.secureBoot: false',
      ]);
    }
    if (kind !== 'sev' && efi.persistent) {
      const message = `${name} does not work along with Persistent EFI variables`;
      found.push(['launch-security-persistent', message, 'remove efi.persistent']);
    }
  }
  if (kind === 'sev' && sev?.attestation && startStrategy !== 'Paused') {
    const message = "SEV attestation requires VMI StartStrategy 'Paused'";
    found.push(['launch-security-attestation', message, 'set startStrategy: Paused']);
  }
  for (const iface of devices.interfaces ?? []) {
    if (iface.bootOrder === undefined) continue;
    const message = `${name} does not work with bootable NICs: ${iface.name}`;
    found.push(['launch-security-boot-order', message, 'remove bootOrder of the interface']);
  }
  return found;
}

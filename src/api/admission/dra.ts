import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { ClaimRequest, GPU, HostDevice, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { isDnsLabel, isDnsSubdomain } from '../names';
import { gateOff, InstanceRule, mistake } from './rule';
import { MOST_MISTAKES, mistakesOf } from '../mistakes';

/** Validates dynamic resource allocation: resource claims, and the devices and networks that use them. */
export const resourceClaims: InstanceRule = (spec, at, config) => {
  const { gpus, hostDevices } = spec.domain.devices;
  if (!spec.resourceClaims && !gpus && !hostDevices) return [];
  const own = claims(spec, at.at('resourceClaims'));
  const ofGpus = devices(gpus ?? [], at.at('domain', 'devices', 'gpus'), gpuKind, config);
  const ofHosts = devices(hostDevices ?? [], at.at('domain', 'devices', 'hostDevices'), hostKind, config);
  const networks = config.hasGate('NetworkDevicesWithDRA') ? networkPairs(spec) : new Map<string, number>();
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const errors = [
    ...own,
    ...ofGpus.errors,
    ...ofHosts.errors,
    ...sharedPairs([
      ['GPUs', ofGpus.pairs, at.at('domain', 'devices', 'gpus')],
      ['HostDevices', ofHosts.pairs, at.at('domain', 'devices', 'hostDevices')],
      ['Networks', networks, at.at('networks')],
    ]),
  ];
  const missing = [...ofGpus.claims, ...ofHosts.claims].filter((claim) => !known.has(claim));
  if (missing.length === 0) return errors;
  const message =
    'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and ' +
    'vmi.spec.domain.devices.hostDevices';
  return [
    ...errors,
    ...mistake('resource-claim-named', at.at('resourceClaims'), message, `add ${missing.join(', ')}`, {
      value: missing,
      allowed: [...known],
    }),
  ];
};

function claims(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const seen = new Set<string>();
  return mistakesOf(spec.resourceClaims ?? [], ({ name, resourceClaimName, resourceClaimTemplateName }, i) => {
    const path = at.at(i);
    const errors: Finding[] = [];
    const report = (field: string, message: string, remedy: string, extra = {}): void => {
      errors.push(...mistake('resource-claim', field ? path.at(field) : path, message, remedy, extra));
    };
    if (!name) {
      report('name', `${path.at('name')} is a required field`, 'name it', { type: 'FieldValueRequired' });
    } else if (seen.has(name)) {
      const message = `duplicate resourceClaims name "${name}"`;
      report('name', message, 'rename one of them', { value: name, type: 'FieldValueDuplicate' });
    } else {
      if (!isDnsLabel(name)) {
        const message = `${path.at('name')} does not conform to the kubernetes DNS_LABEL rules`;
        report('name', message, 'use up to 63 lower case letters, digits and dashes', { value: name });
      }
      seen.add(name);
    }
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      report('', 'at most one of resourceClaimName or resourceClaimTemplateName may be specified', 'keep one');
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      report('', 'must specify one of: resourceClaimName, resourceClaimTemplateName', 'add one of them');
    }
    for (const [field, got] of [
      ['resourceClaimName', resourceClaimName],
      ['resourceClaimTemplateName', resourceClaimTemplateName],
    ] as const) {
      if (got === undefined || isDnsSubdomain(got)) continue;
      report(field, `"${got}" is not a DNS subdomain (RFC 1123)`, 'name a claim that exists', { value: got });
    }
    return errors;
  });
}

type Device = GPU | HostDevice;
interface DeviceKind {
  readonly list: string;
  readonly one: string;
  readonly gate: 'GPUsWithDRA' | 'HostDevicesWithDRA';
  /** Whether a guest may have devices of claims or of device plugins, but not both. */
  readonly unmixed: boolean;
}
const gpuKind: DeviceKind = { list: 'gpus', one: 'GPU', gate: 'GPUsWithDRA', unmixed: true };
const hostKind: DeviceKind = { list: 'hostDevices', one: 'HostDevice', gate: 'HostDevicesWithDRA', unmixed: false };

interface Claimed {
  readonly errors: Finding[];
  readonly claims: string[];
  /** claim/request -> first device that uses it. */
  readonly pairs: Map<string, number>;
}

const noClaims = (errors: Finding[]): Claimed => ({ errors, claims: [], pairs: new Map() });

function devices(all: readonly Device[], at: Path, kind: DeviceKind, config: ClusterConfig): Claimed {
  const { list, one } = kind;
  const asks = ({ claimName, requestName }: Device) => claimName !== undefined || requestName !== undefined;
  const claiming = all.map((device, i) => ({ device, i })).filter(({ device }) => !device.deviceName && asks(device));
  const plain = all.map((device, i) => ({ device, i })).filter(({ device }) => device.deviceName || !asks(device));
  if (kind.unmixed && plain.length > 0 && claiming.length > 0) {
    const message =
      `vmi.spec.domain.devices.${list} contains both DRA and non-DRA ${one}s; each ${one} must be either DRA or ` +
      'non-DRA';
    return noClaims(mistake('device-source', at, message, 'use claims for all of them, or for none'));
  }
  const field = `${at}`;
  const errors = mistakesOf(plain, ({ device, i }) => {
    if (!device.deviceName) {
      const message =
        `vmi.spec.domain.devices.${list} contains ${one}s without deviceName or claimRequest; each ${one} must ` +
        'specify either a deviceName or a claimRequest';
      const remedy = 'set deviceName to a resource that spec.configuration.permittedHostDevices lists';
      return mistake('device-source', at.at(i), message, remedy, { type: 'FieldValueRequired', field });
    }
    if (!asks(device)) return [];
    const message = `vmi.spec.domain.devices.${list} contains ${one}s with both deviceName and claimRequest`;
    return mistake('device-source', at.at(i), message, 'keep one', { field });
  });
  if (claiming.length > 0 && !config.hasGate(kind.gate)) {
    const message = `vmi.spec.domain.devices.${list} contains DRA enabled ${one}s but feature gate is not enabled`;
    return noClaims([...errors, ...gateOff('gate-dra', at, message, kind.gate)]);
  }
  const found: Claimed = { ...noClaims(errors), errors };
  for (const { device, i } of claiming) {
    if (errors.length >= MOST_MISTAKES) break;
    const { claimName, requestName } = device;
    if (!claimName) errors.push(...required(at.at(i, 'claimName'), `claimName is required for DRA ${one}`));
    if (!requestName) errors.push(...required(at.at(i, 'requestName'), `requestName is required for DRA ${one}`));
    if (!claimName || !requestName) continue;
    found.claims.push(claimName);
    const key = `${claimName}/${requestName}`;
    if (found.pairs.has(key)) {
      const message = `duplicate claimName/requestName pair "${key}"`;
      errors.push(
        ...mistake('claim-request-unique', at.at(i), message, 'use another request', {
          value: key,
          type: 'FieldValueDuplicate',
        }),
      );
    } else {
      found.pairs.set(key, i);
    }
  }
  return found;
}

/** Reports a missing name of a claim or request. */
export function required(path: Path, message: string): Finding[] {
  return mistake('claim-request', path, message, 'name it', { type: 'FieldValueRequired' });
}

/** claim/request of each network of a claim -> first network that uses it. */
export function networkPairs({ networks }: VirtualMachineInstanceSpec): Map<string, number> {
  const pairs = new Map<string, number>();
  (networks ?? []).forEach(({ resourceClaim }, i) => {
    const key = pairOf(resourceClaim);
    if (key !== undefined && !pairs.has(key)) pairs.set(key, i);
  });
  return pairs;
}

function pairOf(claim: ClaimRequest | undefined): string | undefined {
  return claim?.claimName && claim.requestName ? `${claim.claimName}/${claim.requestName}` : undefined;
}

/** Only one device can use a request of a claim. */
function sharedPairs(groups: [string, ReadonlyMap<string, number>, Path][]): Finding[] {
  const owners = new Map<string, string>();
  return groups.flatMap(([kind, pairs, at]) =>
    [...pairs].flatMap(([key, i]) => {
      const owner = owners.get(key);
      if (owner === undefined) {
        owners.set(key, `${kind}[${i}]`);
        return [];
      }
      const message = `duplicate claimName/requestName pair "${key}" between ${owner} and ${kind}[${i}]`;
      return mistake('claim-request-unique', at.at(i), message, 'use another request', {
        value: key,
        type: 'FieldValueDuplicate',
      });
    }),
  );
}

/** Maps the spec of an instance to the properties that all constructs with a guest share. Pure. */
import { equal } from '../difference';
import { call, type Expression, list, object, value } from '../expression';
import { metadataOf } from '../metadata';
import { cloudInitOf } from './cloud-init';
import { disksOf } from './disk';
import type { Surroundings } from './kind';
import { kubernetes } from './kubernetes';
import {
  type Claims,
  clockOf,
  cpuOf,
  credentialsOf,
  devicesOf,
  featuresOf,
  firmwareOf,
  hypervOf,
  ioThreadsOf,
  launchSecurityOf,
  memoryOptionsOf,
  probeOf,
} from './machine';
import { isUsual, networksOf } from './network';
import {
  choice,
  each,
  type Fields,
  fieldsOf,
  flag,
  itemsOf,
  named,
  seconds,
  size,
  some,
  text,
  textMap,
  texts,
} from './values';

/** Template of a guest: metadata and spec. */
export interface Template {
  readonly metadata?: unknown;
  readonly spec?: unknown;
}

/**
 * Maps the properties of a guest.
 *
 * @param templates templates of DataVolumes that are created with the guest
 * @param preferred whether a preference sets missing values
 */
export function guestOf(
  { metadata, spec: given }: Template,
  templates: unknown,
  around: Surroundings,
  preferred = false,
): Record<string, Expression | undefined> {
  const spec = fieldsOf(given);
  const domain = fieldsOf(spec.domain);
  const { requests, limits, overcommitGuestOverhead } = fieldsOf(domain.resources);
  const firmware = firmwareOf(domain.firmware, around);
  const secureBoot = fieldsOf(fieldsOf(fieldsOf(domain.firmware).bootloader).efi).secureBoot !== false;
  const networks = networksOf(spec, around);
  const claims = claimsOfDevices(spec, around);
  const others = itemsOf(spec.resourceClaims)?.filter(({ name }) => !claims.has(String(name)));
  const cloudInit = cloudInitOf(spec, preferred, around);
  return {
    cpu: cpuOf(domain.cpu, around),
    memory: size(fieldsOf(domain.memory).guest),
    memoryOptions: memoryOptionsOf(domain.memory, around),
    requests: equal(domain.resources, {}) ? value({}) : textMap(requests),
    limits: textMap(limits),
    overcommitGuestOverhead: flag(overcommitGuestOverhead),
    disks: disksOf(cloudInit ? withoutLast(spec) : spec, templates, preferred, around),
    cloudInit,
    networks: isUsual(networks) ? undefined : (networks ?? list([])),
    firmware,
    machineType: text(fieldsOf(domain.machine).type),
    architecture: choice(around, 'Architecture', spec.architecture),
    chassis: chassisOf(domain.chassis),
    clock: clockOf(domain.clock, around),
    features: featuresOf(domain.features, firmware !== undefined && secureBoot && efiOf(domain) !== undefined),
    hyperv: hypervOf(domain.features, around),
    launchSecurity: launchSecurityOf(domain.launchSecurity, around),
    ioThreads: ioThreadsOf(domain, around),
    devices: devicesOf(domain.devices, around, claims),
    resourceClaims: each(others, (claim) => claimOf(claim, around)),
    utilityVolumes: utilityVolumesOf(spec.utilityVolumes, around),
    scheduling: schedulingOf(spec),
    readiness: probeOf(spec.readinessProbe, around),
    liveness: probeOf(spec.livenessProbe, around),
    accessCredentials: credentialsOf(spec.accessCredentials, around),
    serviceAccount: named(around, 'ServiceAccount', spec.serviceAccountName),
    hostname: text(spec.hostname),
    subdomain: text(spec.subdomain),
    dns: dnsOf(spec, around),
    startStrategy: choice(around, 'StartStrategy', spec.startStrategy),
    evictionStrategy: choice(around, 'EvictionStrategy', spec.evictionStrategy),
    terminationGracePeriod: seconds(spec.terminationGracePeriodSeconds),
    rebootPolicy: choice(around, 'RebootPolicy', domain.rebootPolicy),
    instanceMetadata: metadataOf(metadata, around.name),
  };
}

/** Removes the disk that another property creates. */
function withoutLast(spec: Fields): Fields {
  const domain = fieldsOf(spec.domain);
  const devices = fieldsOf(domain.devices);
  return {
    ...spec,
    volumes: itemsOf(spec.volumes)?.slice(0, -1),
    domain: { ...domain, devices: { ...devices, disks: itemsOf(devices.disks)?.slice(0, -1) } },
  };
}

const efiOf = (domain: Fields): unknown => fieldsOf(fieldsOf(domain.firmware).bootloader).efi;

function chassisOf(given: unknown): Expression | undefined {
  const { manufacturer, version, serial, asset, sku } = fieldsOf(given);
  return some({
    manufacturer: text(manufacturer),
    version: text(version),
    serial: text(serial),
    asset: text(asset),
    sku: text(sku),
  });
}

/** Claims that only one device uses are declared with the device. */
function claimsOfDevices(spec: Fields, around: Surroundings): Claims {
  const { gpus, hostDevices } = fieldsOf(fieldsOf(spec.domain).devices);
  const users = [...(itemsOf(gpus) ?? []), ...(itemsOf(hostDevices) ?? [])].map(({ claimName }) => claimName);
  const isOwn = (name: unknown): name is string =>
    typeof name === 'string' && users.filter((user) => user === name).length === 1;
  return new Map(
    (itemsOf(spec.resourceClaims) ?? []).flatMap((claim): [string, Expression][] => {
      const made = claimOf(claim, around);
      return made && isOwn(claim.name) ? [[claim.name, made]] : [];
    }),
  );
}

function claimOf(
  { name, resourceClaimName, resourceClaimTemplateName }: Fields,
  around: Surroundings,
): Expression | undefined {
  const [factory, kind, of] =
    resourceClaimTemplateName === undefined
      ? (['fromClaim', 'ResourceClaim', resourceClaimName] as const)
      : (['fromTemplate', 'ResourceClaimTemplate', resourceClaimTemplateName] as const);
  const subject = named(around, kind, of);
  return subject && call(`VmResourceClaim.${factory}`, subject, object({ name: name === of ? undefined : text(name) }));
}

function utilityVolumesOf(given: unknown, around: Surroundings): Expression | undefined {
  return each(given, ({ name, claimName, type, readOnly }) => {
    const claim = named(around, ['PersistentVolumeClaim', 'DataVolume'], claimName);
    const kind = choice(around, 'UtilityVolumeType', type);
    return text(name) && claim && object({ name: text(name), claim, type: kind, readOnly: flag(readOnly) });
  });
}

function schedulingOf(spec: Fields): Expression | undefined {
  return some({
    nodeSelector: textMap(spec.nodeSelector),
    tolerations: kubernetes('tolerations', spec.tolerations),
    affinity: kubernetes('affinity', spec.affinity),
    topologySpread: kubernetes('topologySpread', spec.topologySpreadConstraints),
    priorityClass: text(spec.priorityClassName),
    schedulerName: text(spec.schedulerName),
  });
}

function dnsOf({ dnsPolicy, dnsConfig }: Fields, around: Surroundings): Expression | undefined {
  const { nameservers, searches, options } = fieldsOf(dnsConfig);
  const named = itemsOf(options)?.map(({ name, value }) => [name, value ?? '']);
  return some({
    policy: choice(around, 'VmDnsPolicy', dnsPolicy),
    nameservers: texts(nameservers),
    searches: texts(searches),
    options: named && textMap(Object.fromEntries(named)),
  });
}

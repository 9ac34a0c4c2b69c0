import { tryParseQuantity } from '../../../api/quantity';
import { Fields } from '../validation/fields';
import { isQualifiedName } from '../validation/names';

/** Names of compute resources and of what quotas count, with the rules that Kubernetes applies to them. Pure. */

const REQUESTS = 'requests.';
const INTEGER = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTA = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...INTEGER,
];
const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

const isHugePage = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePage = (name: string): boolean => isHugePage(name) || name.startsWith('requests.hugepages-');

/** Whether a name without a domain, or with that of Kubernetes. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Whether requests may differ from limits. */
export const allowsOvercommit = (name: string): boolean => isNativeResource(name) && !isHugePage(name);

/** Whether a resource of a device plugin (`example.com/gpu`). */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith(REQUESTS) && isQualifiedName(REQUESTS + name).length === 0;

/** Whether quotas know the name without a domain. */
export const isQuotaResource = (name: string): boolean => QUOTA.includes(name) || isQuotaHugePage(name);

/** Whether a quota with `scope` may limit the resource. */
export function fitsScope(scope: string, resource: string): boolean {
  switch (scope) {
    case 'Terminating':
    case 'NotTerminating':
    case 'NotBestEffort':
    case 'PriorityClass':
    case 'CrossNamespacePodAffinity':
      return resource === 'pods' || COMPUTE.includes(resource);
    case 'BestEffort':
      return resource === 'pods';
    case 'VolumeAttributesClass':
      return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
    default:
      return true;
  }
}

/** @returns whether the name is well formed */
function validateQualified(name: string, at: Fields): boolean {
  const wrong = isQualifiedName(name);
  at.invalidEach(name, wrong);
  return wrong.length === 0;
}

export function validateResourceName(name: string, at: Fields): void {
  if (!validateQualified(name, at) || name.includes('/')) return;
  if (name !== 'storage' && !isQuotaResource(name))
    at.invalid(name, 'must be a standard resource type or fully qualified');
}

/** Resources that containers may request. */
export function validateContainerResourceName(name: string, at: Fields): void {
  validateResourceName(name, at);
  if (name.includes('/')) {
    if (!isNativeResource(name) && !isExtendedResource(name)) {
      at.invalid(name, "doesn't follow extended resource name standard");
    }
  } else if (!['cpu', 'memory', 'ephemeral-storage'].includes(name) && !isHugePage(name)) {
    at.invalid(name, 'must be a standard resource for containers');
  }
}

/** Resources that quotas may limit. */
export function validateQuotaResourceName(name: string, at: Fields): void {
  validateResourceName(name, at);
  if (!name.includes('/') && !isQuotaResource(name)) at.invalid(name, 'must be a standard resource for quota');
}

/** Amounts are not negative; counts and extended resources are whole numbers. */
export function validateResourceAmount(name: string, value: string, at: Fields): void {
  const { nanos } = tryParseQuantity(value) ?? { nanos: 0n };
  if (nanos < 0n) at.invalid(value, 'must be greater than or equal to 0');
  if ((INTEGER.includes(name) || isExtendedResource(name)) && nanos % 1_000_000_000n !== 0n) {
    at.invalid(value, 'must be an integer');
  }
}

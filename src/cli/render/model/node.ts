/** The node for which a domain is rendered, as `--node FILE` describes it. */
import { type Architecture, ARCHITECTURES } from '../../../api';
import { DomainError } from '../../../runtime/launcher/domain/error';
import type { NodeTopology, UefiImages } from '../../../runtime/launcher/domain/facts';
import type { ModelAllocation } from './devices';

/** A node. Every field has a default, documented in docs/render.md. */
export interface ModelNode {
  /** Default: that of the VMI. */
  architecture: Architecture;
  /** NUMA cells. Default: one, with 64 CPUs of which 2k and 2k+1 are siblings. */
  topology: NodeTopology;
  /** CPUs that the Pod may use. Default: all of the topology. */
  cpuSet: readonly number[];
  /** UEFI images. Default: upstream's file names, every variant, in the configured directory. */
  uefi: UefiImages;
  /** Whether host devices are attached through /dev/iommu. Default: false. */
  hasIommufd: boolean;
  /** Devices that the Pod got. Default: one for each request, except those of claims. */
  allocation: ModelAllocation;
  /** PCI address of a host device -> its NUMA cell. Default: unknown. */
  deviceCells: Readonly<Record<string, number>>;
}

type Check = (value: unknown, path: string) => void;

const must = (isRight: (value: unknown) => boolean, what: string): Check => {
  return (value, path) => {
    if (isRight(value)) return;
    throw new DomainError(path, `${JSON.stringify(value)} is not ${what}`, 'see docs/render.md');
  };
};

const number = must((value) => Number.isInteger(value) && (value as number) >= 0, 'a number from 0');
const text = must((value) => typeof value === 'string', 'a string');
const listOf =
  (each: Check): Check =>
  (value, path) => {
    must(Array.isArray, 'a list')(value, path);
    for (const [i, item] of (value as unknown[]).entries()) each(item, `${path}[${i}]`);
  };
const mapOf =
  (each: Check): Check =>
  (value, path) => {
    must((map) => typeof map === 'object' && map !== null && !Array.isArray(map), 'a map')(value, path);
    for (const [key, item] of Object.entries(value as object)) each(item, `${path}.${key}`);
  };
/** Checks for an object with exactly these fields; those that end in `?` are optional. */
const object =
  (fields: Record<string, Check>): Check =>
  (value, path) => {
    mapOf(() => {})(value, path);
    const names = Object.keys(fields).map((name) => name.replace('?', ''));
    const given = value as Record<string, unknown>;
    for (const key of Object.keys(given)) {
      if (!names.includes(key)) throw new DomainError(`${path}.${key}`, 'is unknown', `use one of ${names.join(', ')}`);
    }
    for (const [name, check] of Object.entries(fields)) {
      const key = name.replace('?', '');
      if (given[key] !== undefined || !name.endsWith('?')) check(given[key], `${path}.${key}`);
    }
  };

const images = ['code', 'vars', 'secureBootCode', 'secureBootVars', 'sevCode', 'sevVars', 'snpCode', 'tdxCode'];
const cpu = object({ id: number, siblings: listOf(number) });
const cell = object({ id: number, cpus: listOf(cpu), 'distances?': listOf(object({ id: number, value: number })) });

const node = object({
  'architecture?': must((value) => (ARCHITECTURES as readonly unknown[]).includes(value), 'amd64, arm64 or s390x'),
  'topology?': object({ cells: listOf(cell) }),
  'cpuSet?': listOf(number),
  'uefi?': object(Object.fromEntries([...images, 'tdxSecureBootCode'].map((name) => [`${name}?`, text]))),
  'hasIommufd?': must((value) => typeof value === 'boolean', 'true or false'),
  'allocation?': object({
    'environment?': mapOf(text),
    'networks?': mapOf(text),
    'claims?': mapOf(object({ 'pci?': text, 'mdev?': text })),
  }),
  'deviceCells?': mapOf(number),
});

/** Throws for a node with unknown fields or fields of a wrong type. */
export function checkNode(given: Partial<ModelNode>): void {
  node(given, 'node');
}

import { clusterConfig, type Finding, type Stage, stageOf } from '../../../../src/api';
import { lintObject, lintTogether, worldOf, type World } from '../../../../src/api/lint';
import type { Loose } from '../fixtures';

const config = clusterConfig();

/** Objects that are applied together. */
export const worldWith = (...objects: Loose[]): World =>
  worldOf(
    objects.map((each) => ({
      apiVersion: each.apiVersion,
      kind: each.kind,
      name: each.metadata.name,
      namespace: each.metadata.namespace,
      where: `app/${each.metadata.name}`,
      object: () => each,
    })),
  );

const short = (errors: readonly Finding[]): string[] => errors.map(({ rule, path }) => `${rule} ${path}`);

/** Returns findings whose rules belong to these stages. */
function staged(errors: readonly Finding[], ...stages: Stage[]): readonly Finding[] {
  const others = errors.filter(({ rule }) => !stages.includes(stageOf(rule)));
  if (others.length > 0) throw new Error(`rules of another stage: ${short(others).join(', ')}`);
  return errors;
}

/** Findings of the last of these objects because of the others, as rule and path: of any stage, since it may name documents. */
export const together = (...objects: Loose[]): string[] =>
  short(lintTogether(objects.at(-1), config, worldWith(...objects)));
/** The same as people read it. */
export const words = (...objects: Loose[]): string[] =>
  lintTogether(objects.at(-1), config, worldWith(...objects)).map(
    ({ cause: message, remedy }) => `${message}; ${remedy}`,
  );
/** Findings about an object alone: rule and path. */
export const alone = (each: Loose): string[] => short(staged(lintObject(each, config), 'value', 'object'));

/** An object; without a namespace it is where it is applied. */
export const object = (apiVersion: string, kind: string, name: string, spec: Loose, metadata: Loose = {}): Loose => ({
  apiVersion,
  kind,
  metadata: { name, ...metadata },
  spec,
});

/** The parts of a VM that others look at. */
export interface GuestOptions {
  readonly namespace?: string;
  readonly labels?: Loose;
  readonly annotations?: Loose;
  readonly hostname?: string;
  readonly networks?: Loose[];
  readonly interfaces?: Loose[];
}

const instanceSpec = ({ hostname, networks, interfaces }: GuestOptions): Loose => ({
  ...(hostname === undefined ? {} : { hostname }),
  domain: { devices: { ...(interfaces ? { interfaces } : {}) } },
  ...(networks ? { networks } : {}),
});
const metadataOf = ({ namespace }: GuestOptions): Loose => (namespace === undefined ? {} : { namespace });
const templateOf = (options: GuestOptions): Loose => ({
  metadata: { labels: options.labels, annotations: options.annotations },
  spec: instanceSpec(options),
});

export const vm = (name: string, options: GuestOptions = {}): Loose =>
  object(
    'kubevirt.io/v1',
    'VirtualMachine',
    name,
    { runStrategy: 'Always', template: templateOf(options) },
    metadataOf(options),
  );
export const vmi = (name: string, options: GuestOptions = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachineInstance', name, instanceSpec(options), {
    ...metadataOf(options),
    ...(options.labels ? { labels: options.labels } : {}),
  });
export const replicaSet = (name: string, options: GuestOptions = {}, replicas = 2): Loose =>
  object(
    'kubevirt.io/v1',
    'VirtualMachineInstanceReplicaSet',
    name,
    { replicas, template: templateOf(options) },
    metadataOf(options),
  );
export const pool = (name: string, options: GuestOptions = {}, replicas = 2): Loose =>
  object(
    'pool.kubevirt.io/v1beta1',
    'VirtualMachinePool',
    name,
    { replicas, virtualMachineTemplate: { spec: { template: templateOf(options) } } },
    metadataOf(options),
  );

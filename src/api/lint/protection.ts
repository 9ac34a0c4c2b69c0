/** Policies, budgets, snapshots and backups, and whether the guests that they name exist. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { selects, type LabelSelector } from '../kinds/label-selector';
import { patchStaysInSpec } from '../kinds/restore';
import { semanticDeepEqual } from '../kinds/shape';
import { type KindName, kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { type Reference, referencesOf } from '../references';
import { guestsOf, describeObject } from './network-guests';
import { misspeltReference } from './misspelt';
import { keyOf, objectAt, read, textAt, textsAt } from './read';
import type { Declared, World } from './world';

/** Of two policies that match equally, the first by name applies. */
function policiesDiffer(object: KubeObject, world: World): Finding[] {
  if (kindOf(object) !== 'MigrationPolicy') return [];
  const selectors = objectAt(object, 'spec', 'selectors');
  const path = root.at('spec', 'selectors');
  if (!selectors) {
    const cause = 'a policy without selectors applies to no guest';
    return mistake('policy-selectors', path, cause, 'add selectors: {}, which selects every guest, or labels');
  }
  const { name } = object.metadata;
  const before = world
    .all('MigrationPolicy')
    .filter((each) => name !== undefined && each.name < name)
    .find((each) => semanticDeepEqual(objectAt(each.object(), 'spec', 'selectors'), selectors));
  if (!before) return [];
  const cause = `${describeObject(before)} selects the same guests and is the first by name, so this one never applies`;
  return mistake('policy-unique', path, cause, 'merge the two, or select other guests', {
    type: 'FieldValueDuplicate',
  });
}

/** Reports a policy that selects no guest, if the app declares guests: otherwise they may be in the cluster. */
function policyHasGuests(object: KubeObject, world: World): Finding[] {
  if (kindOf(object) !== 'MigrationPolicy') return [];
  const at = root.at('spec', 'selectors');
  const wanted = textsAt(object, 'spec', 'selectors', 'virtualMachineInstanceSelector');
  const placed = textsAt(object, 'spec', 'selectors', 'namespaceSelector');
  const guests = guestsOf(world);
  if (guests.length === 0 || Object.keys(wanted).length + Object.keys(placed).length === 0) return [];
  const chosen = guests.filter(({ labels }) => has(labels, wanted));
  if (chosen.length === 0) {
    const allowed = pairs(guests.map(({ labels }) => labels));
    return mistake(
      'policy-matches',
      at.at('virtualMachineInstanceSelector'),
      `no guest of this app has the labels ${pairs([wanted]).join(', ')}`,
      'use labels of the instances, which come from the template of their VM (instanceMetadata)',
      { value: wanted, allowed },
    );
  }
  const namespaces = chosen.map(({ namespace }) => labelsOfNamespace(namespace, world));
  // the labels of an undeclared namespace are unknown
  if (namespaces.some((labels) => labels === undefined || has(labels, placed))) return [];
  return mistake(
    'policy-matches',
    at.at('namespaceSelector'),
    `no namespace of its guests has the labels ${pairs([placed]).join(', ')}`,
    'use labels of the Namespace, or leave the selector out',
    { value: placed, allowed: pairs(namespaces as Labels[]) },
  );
}

type Labels = Readonly<Record<string, string>>;

const has = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value);

const MOST_PAIRS = 10;

function pairs(all: readonly Labels[]): string[] {
  const found = all.flatMap((labels) => Object.entries(labels).map(([label, value]) => `${label}=${value}`));
  return [...new Set(found)].slice(0, MOST_PAIRS);
}

function labelsOfNamespace(name: string | undefined, world: World): Labels | undefined {
  const found = name === undefined ? undefined : world.find('Namespace', undefined, name);
  return found && { 'kubernetes.io/metadata.name': name!, ...textsAt(found, 'metadata', 'labels') };
}

/** Kinds of requests whose target is in their own namespace. */
const requests = new Set<KindName | undefined>([
  'VirtualMachineSnapshot',
  'VirtualMachineRestore',
  'VirtualMachineClone',
  'VirtualMachineExport',
  'VirtualMachineBackup',
  'VirtualMachineBackupTracker',
  'VirtualMachineInstanceMigration',
]);

/** Kinds that each kind is mistaken for. A VM starts an instance of its own name. */
const lookalikes: Readonly<Record<string, readonly string[]>> = {
  VirtualMachine: [
    'VirtualMachineInstance',
    'VirtualMachinePool',
    'VirtualMachineInstanceReplicaSet',
    'VirtualMachineSnapshot',
  ],
  VirtualMachineInstance: ['VirtualMachinePool', 'VirtualMachineInstanceReplicaSet'],
  VirtualMachineSnapshot: ['VirtualMachine', 'VirtualMachineRestore', 'VirtualMachineClone'],
  VirtualMachineBackup: ['VirtualMachine', 'VirtualMachineBackupTracker'],
  VirtualMachineBackupTracker: ['VirtualMachine', 'VirtualMachineBackup'],
};

/** Reports a request whose target is declared as another kind, in another namespace or with a similar name. */
function requestsNameWhatIsThere(object: KubeObject, world: World): Finding[] {
  if (!requests.has(kindOf(object))) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  return referencesOf(object)
    .filter(({ isMade, kind }) => !isMade && Object.hasOwn(lookalikes, kind))
    .flatMap((reference) => names(reference, namespace, world));
}

function names({ kind, name: got, path: at }: Reference, namespace: string | undefined, world: World): Finding[] {
  const path = at.parts.at(-1) === 'source' ? at.at('name') : at;
  const declared = candidates(kind, world);
  const here = declared.filter((each) => each.namespace === namespace).map((each) => each.name);
  if (here.includes(got) || isOfPool(kind, got, namespace, world)) return [];
  const elsewhere = declared.find((each) => each.name === got && each.namespace !== undefined);
  if (elsewhere && namespace !== undefined) {
    const message = `${describeObject(elsewhere)} is in the namespace "${elsewhere.namespace}", but this object is in "${namespace}"`;
    const remedy = 'put this object into the same namespace';
    return mistake('reference-namespace', path, message, remedy, { value: got, allowed: here });
  }
  const other = lookalikes[kind].flatMap((each) => world.named(each, namespace, got))[0];
  if (other) {
    const message = `"${got}" is ${describeObject(other)}, but this field takes a ${kind}`;
    return mistake('reference-kind', path, message, `name a ${kind}`, { value: got, allowed: here });
  }
  return elsewhere ? [] : misspeltReference(kind, got, path, here);
}

type Named = Pick<Declared, 'kind' | 'name' | 'namespace' | 'where'>;

/** Returns the objects of a kind that will exist: VMs start instances of their names, clones and restores create VMs. */
function candidates(kind: string, world: World): readonly Named[] {
  if (kind !== 'VirtualMachine' && kind !== 'VirtualMachineInstance') return world.all(kind);
  const created = ['VirtualMachineClone', 'VirtualMachineRestore'].flatMap((maker) =>
    world.all(maker).flatMap((declared) => {
      const name = textAt(declared.object(), 'spec', 'target', 'name');
      return name === undefined ? [] : [{ kind, name, namespace: declared.namespace, where: declared.where }];
    }),
  );
  const vms = [...world.all('VirtualMachine'), ...created];
  return kind === 'VirtualMachine' ? vms : [...world.all(kind), ...vms];
}

/** Whether the name is that of a VM of a pool: the pool's name and a number. */
function isOfPool(kind: string, name: string, namespace: string | undefined, world: World): boolean {
  const pool = /^(.*)-\d+$/.exec(name)?.[1];
  return (
    kind.startsWith('VirtualMachine') &&
    pool !== undefined &&
    world.named('VirtualMachinePool', namespace, pool).length > 0
  );
}

/**
 * For a percentage or for maxUnavailable, Kubernetes reads the expected number of Pods from their owner, and a
 * VirtualMachineInstance has none: such a budget blocks the eviction of every launcher Pod, and no node can be drained.
 */
function budgetCountsGuests(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'PodDisruptionBudget.policy') return [];
  const { maxUnavailable, minAvailable } = objectAt(object, 'spec') ?? {};
  const selector = read(object, 'spec', 'selector') as LabelSelector | undefined;
  const isShare = maxUnavailable !== undefined || typeof minAvailable === 'string';
  if (!isShare || !objectAt(object, 'spec', 'selector')) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const guests = guestsOf(world).find((each) => each.namespace === namespace && chooses(selector, each.podLabels));
  if (!guests) return [];
  return mistake(
    'budget-guests',
    root.at('spec', maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable'),
    `this selects the Pods of ${guests.object.kind} "${guests.object.metadata.name}", whose owner has no replica count, so none of them could be evicted`,
    'use minAvailable with a number of guests',
    { value: maxUnavailable ?? minAvailable },
  );
}

function chooses(selector: LabelSelector | undefined, labels: Labels): boolean {
  try {
    return selects(selector, labels);
  } catch {
    // a selector of another shape
    return false;
  }
}

/** Rule from KubeVirt's definition of the kind. */
function servedBackupsHaveTokens(object: KubeObject): Finding[] {
  if (kindOf(object) !== 'VirtualMachineBackup' || textAt(object, 'spec', 'mode') !== 'Pull') return [];
  if (textAt(object, 'spec', 'tokenSecretRef') !== undefined) return [];
  const message = 'a backup in mode Pull requires a token for its downloads';
  const remedy = 'name a Secret that has the key token';
  return mistake('backup-token', root.at('spec', 'tokenSecretRef'), message, remedy, { type: 'FieldValueRequired' });
}

/** Validates patches, which KubeVirt reads only once the snapshot exists. */
function patchesAreTaken(object: KubeObject): Finding[] {
  if (kindOf(object) !== 'VirtualMachineRestore') return [];
  const patches = read(object, 'spec', 'patches');
  if (!Array.isArray(patches)) return [];
  return patches.flatMap((patch, i) => (typeof patch === 'string' ? patchStaysInSpec(patch, i) : []));
}

/** Rules between guests and the objects that protect them. */
export const protectionRules = (object: KubeObject, world: World): Finding[] => [
  ...policyHasGuests(object, world),
  ...policiesDiffer(object, world),
  ...requestsNameWhatIsThere(object, world),
  ...budgetCountsGuests(object, world),
  ...servedBackupsHaveTokens(object),
  ...patchesAreTaken(object),
];

/** Claims, DataVolumes and DataSources that are named nearly as they are declared. */
import { mistake } from '../admission/rule';
import type { FieldError } from '../field-error';
import type { KubeObject } from '../meta';
import { referencesOf } from '../references';
import { misspelt } from './names';
import { keyOf, listAt, textAt } from './read';
import type { World } from './world';

const NAMING = new Set([
  'VirtualMachine.kubevirt.io',
  'VirtualMachineInstance.kubevirt.io',
  'VirtualMachineInstanceReplicaSet.kubevirt.io',
  'VirtualMachinePool.pool.kubevirt.io',
  'DataVolume.cdi.kubevirt.io',
  'DataSource.cdi.kubevirt.io',
]);
const NAMED = new Set(['PersistentVolumeClaim', 'DataVolume', 'DataSource']);

interface Place {
  readonly name: string;
  readonly namespace?: string;
}

/** Beyond as many, each name that the cluster holds would be compared with all of them. */
const MOST_COMPARED = 500;

type Names = ReadonlyMap<string | undefined, ReadonlySet<string>>;
const known = new WeakMap<World, Map<string, Names>>();

/** What has a claim, or is a DataSource, once everything is applied: by namespace. */
function namesOf(kind: string, namespace: string | undefined, world: World): ReadonlySet<string> {
  let all = known.get(world);
  if (!all) known.set(world, (all = new Map()));
  const group = kind === 'DataSource' ? kind : 'claims';
  let names = all.get(group);
  if (!names) all.set(group, (names = byNamespace(group === 'claims' ? claims(world) : dataSources(world))));
  return names.get(namespace) ?? new Set();
}

function byNamespace(places: readonly Place[]): Names {
  const names = new Map<string | undefined, Set<string>>();
  for (const { name, namespace } of places) {
    const here = names.get(namespace);
    if (here) here.add(name);
    else names.set(namespace, new Set([name]));
  }
  return names;
}

const claims = (world: World): Place[] => [
  ...world.all('PersistentVolumeClaim'),
  ...world.all('DataVolume'),
  ...world.all('VirtualMachine').flatMap(({ object, namespace }) =>
    listAt(object(), 'spec', 'dataVolumeTemplates').flatMap((template) => {
      const name = textAt(template, 'metadata', 'name');
      return name === undefined ? [] : [{ name, namespace }];
    }),
  ),
];

const dataSources = (world: World): Place[] => [
  ...world.all('DataSource'),
  ...world.all('DataImportCron').flatMap(({ object, namespace }) => {
    const name = textAt(object(), 'spec', 'managedDataSource');
    return name === undefined ? [] : [{ name, namespace }];
  }),
];

/** One that the app does not declare is in the cluster, unless one that it declares was meant. */
export function storageIsSpeltRight(object: KubeObject, world: World): FieldError[] {
  if (!NAMING.has(keyOf(object))) return [];
  const own = textAt(object, 'metadata', 'namespace');
  return referencesOf(object)
    .filter(({ kind, isMade }) => !isMade && NAMED.has(kind))
    .flatMap(({ kind, name: got, namespace = own, path }) => {
      const names = namesOf(kind, namespace, world);
      if (names.has(got) || names.size > MOST_COMPARED) return [];
      const allowed = [...names];
      const meant = misspelt(got, allowed);
      if (meant === undefined) return [];
      const extra = { got, allowed };
      return mistake('reference-name', path, `no ${kind} is called "${got}"`, `did you mean "${meant}"?`, extra);
    });
}

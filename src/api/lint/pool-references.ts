import { type Finding, root } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { listAt, read, textAt } from './read';
import type { World } from './world';

const spec = root.at('spec');
const instanceAt = ['spec', 'virtualMachineTemplate', 'spec', 'template', 'spec'] as const;

/** Fields of a volume that name an object. */
const references = {
  ConfigMap: [['configMap', 'name']],
  Secret: [
    ['secret', 'secretName'],
    ['cloudInitNoCloud', 'secretRef', 'name'],
    ['cloudInitNoCloud', 'networkDataSecretRef', 'name'],
    ['cloudInitConfigDrive', 'secretRef', 'name'],
    ['cloudInitConfigDrive', 'networkDataSecretRef', 'name'],
  ],
} as const;

const flags = { ConfigMap: 'appendIndexToConfigMapRefs', Secret: 'appendIndexToSecretRefs' } as const;

/** Reports a pool whose VMs each need their own ConfigMap or Secret, where only the common one is declared. */
export function poolReferencesAreDeclared(pool: KubeObject, world: World): Finding[] {
  if (kindOf(pool) !== 'VirtualMachinePool') return [];
  return (['ConfigMap', 'Secret'] as const).flatMap((kind) => {
    if (read(pool, 'spec', 'nameGeneration', flags[kind]) !== true) return [];
    const named = listAt(pool, ...instanceAt, 'volumes').flatMap((volume) =>
      references[kind].flatMap((fields) => textAt(volume, ...fields) ?? []),
    );
    const { namespace } = pool.metadata;
    const has = (name: string): boolean => world.named(kind, namespace, name).length > 0;
    return [...new Set(named)]
      .filter((name) => has(name) && !has(`${name}-0`))
      .map((name): Finding => ({
        rule: 'pool-own-references',
        path: spec.at('nameGeneration', flags[kind]),
        value: name,
        cause: `each VM needs its own ${kind}, "${name}-0", "${name}-1", …, but only "${name}" is declared`,
        remedy: `declare them, or let all VMs share "${name}"`,
      }));
  });
}

import { type Finding, type Path, root } from '../findings';
import type { VirtualMachineInstanceReplicaSet } from '../generated/kubevirt-v1';
import type { VirtualMachinePool } from '../generated/pool-v1beta1';
import type { KubeObject } from '../meta';

/** What a set or a pool creates, and where its spec is written. */
interface Made {
  readonly object: KubeObject;
  readonly at: Path;
}

/**
 * The VM that a pool creates, or the instance that a replica set creates, as it is written in the template. The webhook
 * looks at less of a template than at what comes of it, which it then refuses, out of sight.
 */
function madeBy(object: KubeObject): Made | undefined {
  const { kind, metadata } = object;
  const { name = '', namespace } = metadata;
  if (kind === 'VirtualMachinePool') {
    const { virtualMachineTemplate: template } = (object as VirtualMachinePool).spec;
    const vm = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: `${name}-0`, namespace } };
    const at = root.at('spec', 'virtualMachineTemplate', 'spec');
    return template?.spec?.template && { object: { ...vm, spec: template.spec } as KubeObject, at };
  }
  if (kind === 'VirtualMachineInstanceReplicaSet') {
    const { template } = (object as VirtualMachineInstanceReplicaSet).spec;
    const { labels, annotations } = (template.metadata ?? {}) as KubeObject['metadata'];
    const own = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
    const instance = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: own };
    const at = root.at('spec', 'template', 'spec');
    return template.spec?.domain && { object: { ...instance, spec: template.spec } as KubeObject, at };
  }
  return undefined;
}

/**
 * Mistakes of what a set or a pool would create, at the fields of its template.
 *
 * @param lint - finds the mistakes of a VM or an instance whose spec is at this path
 */
export function mistakesOfTemplates(
  object: KubeObject,
  lint: (made: KubeObject, specAt: Path) => readonly Finding[],
): Finding[] {
  const made = madeBy(object);
  if (!made) return [];
  const { parts: above } = made.at;
  const isInside = ({ parts }: Path): boolean => above.every((part, i) => parts[i] === part);
  return lint(made.object, made.at)
    .map((error) => {
      const { path } = error;
      // rules about references and shapes know the object alone
      return isInside(path) || path.parts[0] !== 'spec'
        ? error
        : { ...error, path: made.at.at(...path.parts.slice(1)) };
    })
    .filter(({ path }) => isInside(path));
}

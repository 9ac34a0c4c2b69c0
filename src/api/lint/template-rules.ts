import { type Finding, type Path, root } from '../findings';
import type { VirtualMachineInstanceReplicaSet } from '../generated/kubevirt-v1';
import type { VirtualMachinePool } from '../generated/pool-v1beta1';
import type { KubeObject } from '../meta';

/** Object that a set or pool creates, and the path of its template's spec. */
interface Templated {
  readonly object: KubeObject;
  readonly at: Path;
}

/**
 * Returns the VM that a pool creates, or the instance that a replica set creates, as its template has it. The webhook
 * of the set checks less of the template than the webhook of the created objects, which then rejects them out of sight.
 */
function templatedBy(object: KubeObject): Templated | undefined {
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
 * Returns the mistakes of the object that a set or pool would create, at the fields of the template.
 *
 * @param lint - finds the mistakes of a VM or an instance whose spec is at this path
 */
export function mistakesOfTemplates(
  object: KubeObject,
  lint: (templated: KubeObject, specAt: Path) => readonly Finding[],
): Finding[] {
  const templated = templatedBy(object);
  if (!templated) return [];
  const { parts: above } = templated.at;
  const isInside = ({ parts }: Path): boolean => above.every((part, i) => parts[i] === part);
  return lint(templated.object, templated.at)
    .map((error) => {
      const { path } = error;
      // rules about references and shapes report paths of the created object
      return isInside(path) || path.parts[0] !== 'spec'
        ? error
        : { ...error, path: templated.at.at(...path.parts.slice(1)) };
    })
    .filter(({ path }) => isInside(path));
}

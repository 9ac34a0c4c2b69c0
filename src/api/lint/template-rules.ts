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
 * Mistakes of what a set or a pool would create, told of the template.
 *
 * @param lint tells the mistakes of a VM or an instance
 */
export function mistakesOfTemplates(object: KubeObject, lint: (made: KubeObject) => Finding[]): Finding[] {
  const made = madeBy(object);
  if (!made) return [];
  return lint(made.object)
    .filter(({ path }) => path.parts[0] === 'spec')
    .map((error) => toldAt(error, made.at));
}

/** The same mistake where it is written: its texts name fields of the object, from `spec` on. */
function toldAt(error: Finding, at: Path): Finding {
  const moved = (text: string): string => text.replace(/(?<![\w.])spec(?=\.)/g, `${at}`);
  const { path, field, cause: message, remedy } = error;
  return {
    ...error,
    path: at.at(...path.parts.slice(1)),
    ...(field === undefined ? {} : { field: moved(field) }),
    cause: moved(message),
    remedy: moved(remedy),
  };
}

import { virtualMachineInstanceWarnings } from '../admission/warnings';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import { isLauncherOf, launcherPodName } from '../launcher-name';
import type { KubeObject } from '../meta';
import { mutateVirtualMachineInstance } from '../mutate';
import { labelsStay, validateVirtualMachineInstanceCreate, validateVirtualMachineInstanceUpdate } from '../validate';
import type { AdmissionContext, KindAdmission } from './kind';
import { refusal, when } from './refusal';

interface LauncherPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

export const virtualMachineInstanceAdmission: KindAdmission<VirtualMachineInstance> = {
  mutate: mutateVirtualMachineInstance,
  create: validateVirtualMachineInstanceCreate,
  update: (vmi, old, context) => [
    ...validateVirtualMachineInstanceUpdate(vmi, old, context),
    ...nodeIsOfLauncher(vmi, old, context),
  ],
  identity: (vmi, old, { by }) => (by.trusted ? [] : labelsStay(vmi, old)),
  warnings: virtualMachineInstanceWarnings,
};

/**
 * The first node of an instance is that of its launcher Pod. The virt-handler of a node may write instances that have no
 * node yet; a compromised one must not get the consoles of guests that start elsewhere.
 */
function nodeIsOfLauncher(
  { metadata, status }: VirtualMachineInstance,
  { status: before }: VirtualMachineInstance,
  { find }: AdmissionContext,
): Finding[] {
  const { nodeName } = status ?? {};
  const { name, namespace, uid } = metadata;
  if (!nodeName || before?.nodeName || !name || !uid) return [];
  const pod = find('Pod', namespace, launcherPodName(name, uid)) as LauncherPod | undefined;
  return when(
    !pod || !isLauncherOf({ metadata }, pod) || pod.spec?.nodeName !== nodeName,
    refusal(
      'instance-node',
      root.at('status', 'nodeName'),
      `the launcher Pod of the instance is not on node "${nodeName}"`,
      'only the virt-handler of its node may report an instance',
      { value: nodeName },
    ),
  );
}

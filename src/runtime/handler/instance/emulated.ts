import type { VirtualMachineInstance } from '../../../api';
import type { Verdict } from './conditions';
import type { PodFacts } from './observed';
import { ConditionType, EmulatedReason } from '../../../api/reasons';

/** SoftwareEmulation: why the guest does not use KVM, which makes it many times slower; absent if it does. */
export function emulated(vmi: VirtualMachineInstance, { kvm }: Pick<PodFacts, 'kvm'>): Verdict | undefined {
  const type = ConditionType.SoftwareEmulation;
  // the accelerator of a running guest does not change; a handler that has just started has not checked it yet
  if (vmi.status?.phase === 'Running' || kvm === undefined)
    return vmi.status?.conditions?.find((condition) => condition.type === type);
  if (kvm === 'granted') return undefined;
  if (kvm === 'absent') {
    const message =
      'the KubeVirt object allows emulation, so the launcher has no /dev/kvm and the CPUs of the guest are emulated, ' +
      'which is much slower; where nodes have KVM (annotation virt8s.io/kvm-unusable of the node has the cause), set ' +
      'spec.configuration.developerConfiguration.useEmulation to false and restart the VM';
    return { type, status: 'True', reason: EmulatedReason.Configured, message };
  }
  const message =
    `${kvm.problem}; the CPUs of the guest are emulated, which is much slower: ` +
    'correct the device on the node and restart the VM';
  return { type, status: 'True', reason: EmulatedReason.KvmNotUsable, message };
}

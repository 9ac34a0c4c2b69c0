/** `<features>`: ACPI, APIC, SMM, the hypervisor interface of Windows guests, and settings of the emulator. */
import type { FeatureHyperv, VirtualMachineInstance } from '../../../api';
import { vcpus } from '../../../api/cpu-topology';
import { maximumVcpus } from './cpu';
import type { CpuEmulation, DomainFacts } from './facts';
import { hasDedicatedCpus, isRealtime } from './guest';
import { type Child, type Element, el, onOff } from './xml';

interface State {
  enabled?: boolean;
}

const isOn = (state: State | undefined): boolean => state !== undefined && (state.enabled ?? true);

/** Element with a state, for a feature that the VMI sets. */
const part = (name: string, state: State | undefined, ...children: Child[]): Child =>
  state && el(name, { state: onOff(isOn(state)) }, ...children);

function hyperv(spec: FeatureHyperv): Element {
  const { spinlocks, synictimer, vendorid, tlbflush } = spec;
  return el(
    'hyperv',
    {},
    part('relaxed', spec.relaxed),
    part('vapic', spec.vapic),
    spinlocks && el('spinlocks', { state: onOff(isOn(spinlocks)), retries: spinlocks.spinlocks }),
    part('vpindex', spec.vpindex),
    part('runtime', spec.runtime),
    part('synic', spec.synic),
    part('stimer', synictimer, part('direct', synictimer?.direct)),
    part('reset', spec.reset),
    vendorid && el('vendor_id', { state: onOff(isOn(vendorid)), value: vendorid.vendorid || undefined }),
    part('frequencies', spec.frequencies),
    part('reenlightenment', spec.reenlightenment),
    part('tlbflush', tlbflush, part('direct', tlbflush?.direct), part('extended', tlbflush?.extended)),
    part('ipi', spec.ipi),
    part('evmcs', spec.evmcs),
  );
}

/** Features that require a hypervisor. */
function enlightenments(vmi: VirtualMachineInstance, { architecture }: DomainFacts): Child[] {
  const { hyperv: windows, hypervPassthrough, kvm, pvspinlock } = vmi.spec.domain.features ?? {};
  const isDedicated = architecture === 'amd64' && vmi.spec.architecture === 'amd64' && hasDedicatedCpus(vmi);
  return [
    windows && hyperv(windows),
    !windows && hypervPassthrough?.enabled && el('hyperv', { mode: 'passthrough' }),
    (kvm || isDedicated) &&
      el(
        'kvm',
        {},
        kvm && el('hidden', { state: onOff(kvm.hidden === true) }),
        isDedicated && el('hint-dedicated', { state: 'on' }),
      ),
    part('pvspinlock', pvspinlock),
  ];
}

function translationCache(vmi: VirtualMachineInstance, facts: DomainFacts, emulation: CpuEmulation): Element {
  const { domain } = vmi.spec;
  const { fixed, growing } = emulation.translationCache;
  const size = maximumVcpus(domain, facts) > vcpus(domain) ? growing : fixed;
  return el('tcg', {}, el('tb-cache', { unit: 'MiB' }, String(size)));
}

/** The `<features>` element. */
export function features(vmi: VirtualMachineInstance, facts: DomainFacts): Element {
  const spec = vmi.spec.domain.features;
  const { architecture, emulation } = facts;
  const { apic } = spec ?? {};
  const hidesPmu = Boolean(vmi.spec.domain.launchSecurity?.tdx && spec) || (hasDedicatedCpus(vmi) && isRealtime(vmi));
  return el(
    'features',
    {},
    spec && (spec.acpi?.enabled ?? true) && el('acpi'),
    isOn(apic) && el('apic', { eoi: apic?.endOfInterrupt === undefined ? undefined : onOff(apic.endOfInterrupt) }),
    ...(emulation ? [] : enlightenments(vmi, facts)),
    isOn(spec?.smm) && el('smm'),
    hidesPmu && el('pmu', { state: 'off' }),
    spec && architecture === 'amd64' && el('vmport', { state: 'off' }),
    emulation && translationCache(vmi, facts, emulation),
  );
}

/** `<features>`: ACPI, APIC, SMM, what a Windows guest is told of its hypervisor, and the emulator's own knobs. */
import type { DomainSpec, FeatureHyperv } from '../../../api';
import { hasPluggableVcpus } from './cpu';
import type { DomainFacts } from './facts';
import { only } from './unsupported';
import { type Child, type Element, el, onOff } from './xml';

/**
 * Translated code that QEMU may keep, MiB. QEMU's own default is 1 GiB per guest, which no Pod accounts for.
 * QEMU aborts when a small cache meets a plugged-in vCPU, so guests that can grow get more.
 */
const TB_CACHE = { fixed: 128, growing: 256 };

const enabled = (state: { enabled?: boolean } | undefined): boolean => state !== undefined && state.enabled !== false;

const SIMPLE = [
  ...['relaxed', 'vapic', 'vpindex', 'runtime', 'synic', 'reset', 'frequencies', 'reenlightenment', 'ipi', 'evmcs'],
] as (keyof FeatureHyperv)[];
const HYPERV = [...SIMPLE, 'spinlocks', 'synictimer', 'vendorid', 'tlbflush'];

function hyperv(spec: FeatureHyperv): Element {
  only(spec, 'spec.domain.features.hyperv', HYPERV);
  const { spinlocks, synictimer, vendorid, tlbflush } = spec;
  const simple = SIMPLE.flatMap((name) => {
    const state = spec[name] as { enabled?: boolean } | undefined;
    return state ? [el(name, { state: onOff(enabled(state)) })] : [];
  });
  const part = (name: string, state?: { enabled?: boolean }): Child =>
    state && el(name, { state: onOff(enabled(state)) });
  return el(
    'hyperv',
    { mode: 'custom' },
    ...simple,
    spinlocks &&
      el('spinlocks', {
        state: onOff(enabled(spinlocks)),
        retries: enabled(spinlocks) ? (spinlocks.spinlocks ?? 4096) : undefined,
      }),
    synictimer && el('stimer', { state: onOff(enabled(synictimer)) }, part('direct', synictimer.direct)),
    vendorid && el('vendor_id', { state: onOff(enabled(vendorid)), value: vendorid.vendorid }),
    tlbflush &&
      el(
        'tlbflush',
        { state: onOff(enabled(tlbflush)) },
        part('direct', tlbflush.direct),
        part('extended', tlbflush.extended),
      ),
  );
}

/** The `<features>` element. */
export function features(domain: DomainSpec, facts: DomainFacts): Element {
  const spec = domain.features ?? {};
  only(spec, 'spec.domain.features', ['acpi', 'apic', 'hyperv', 'hypervPassthrough', 'kvm', 'pvspinlock', 'smm']);
  const { acpi, apic, kvm, pvspinlock, smm, hypervPassthrough } = spec;
  return el(
    'features',
    {},
    (acpi === undefined || enabled(acpi)) && el('acpi'),
    enabled(apic) && el('apic', { eoi: apic?.endOfInterrupt === undefined ? undefined : onOff(apic.endOfInterrupt) }),
    // The hypervisor's enlightenments are KVM's to give; an emulated CPU has none.
    facts.kvm && spec.hyperv && hyperv(spec.hyperv),
    facts.kvm && hypervPassthrough?.enabled && el('hyperv', { mode: 'passthrough' }),
    facts.kvm && kvm?.hidden !== undefined && el('kvm', {}, el('hidden', { state: onOff(kvm.hidden) })),
    facts.kvm && pvspinlock && el('pvspinlock', { state: onOff(enabled(pvspinlock)) }),
    smm && el('smm', { state: onOff(enabled(smm)) }),
    el('vmport', { state: 'off' }),
    !facts.kvm &&
      el(
        'tcg',
        {},
        el('tb-cache', { unit: 'MiB' }, String(hasPluggableVcpus(domain) ? TB_CACHE.growing : TB_CACHE.fixed)),
      ),
  );
}

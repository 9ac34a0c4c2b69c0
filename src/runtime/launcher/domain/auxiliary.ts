/** Small devices, one function each: entropy, watchdog, TPM, sound, balloon, vsock. */
import type { DomainSpec, VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { DomainError, only } from './unsupported';
import { virtioModel } from './virtio';
import { type Element, el, onOff, yesNo } from './xml';

/** `<rng>` */
export function rng(domain: DomainSpec): Element[] {
  if (!domain.devices.rng) return [];
  only(domain.devices.rng, 'spec.domain.devices.rng', []);
  return [el('rng', { model: virtioModel(domain) }, el('backend', { model: 'random' }, '/dev/urandom'))];
}

/** `<watchdog>` */
export function watchdog(domain: DomainSpec): Element[] {
  const spec = domain.devices.watchdog;
  if (!spec) return [];
  only(spec, 'spec.domain.devices.watchdog', ['name', 'i6300esb']);
  if (!spec.i6300esb) {
    throw new DomainError('spec.domain.devices.watchdog', 'has no model that amd64 knows', 'set i6300esb');
  }
  only(spec.i6300esb, 'spec.domain.devices.watchdog.i6300esb', ['action']);
  const action = spec.i6300esb.action ?? 'reset';
  return [el('watchdog', { model: 'i6300esb', action }, el('alias', { name: `ua-${spec.name}` }))];
}

/** `<tpm>`, emulated by swtpm. */
export function tpm(domain: DomainSpec): Element[] {
  const spec = domain.devices.tpm;
  if (!spec || spec.enabled === false) return [];
  only(spec, 'spec.domain.devices.tpm', ['enabled', 'persistent']);
  if (spec.persistent) {
    throw new DomainError(
      'spec.domain.devices.tpm.persistent',
      'a persistent TPM is not supported yet',
      'set it to false',
    );
  }
  return [el('tpm', { model: 'tpm-tis' }, el('backend', { type: 'emulator', version: '2.0' }))];
}

/** `<sound>` with nobody listening: guests want the device, not the noise. */
export function sound(domain: DomainSpec): Element[] {
  const spec = domain.devices.sound;
  if (!spec) return [];
  only(spec, 'spec.domain.devices.sound', ['name', 'model']);
  const alias = el('alias', { name: `ua-${spec.name}` });
  const audio = el('audio', { id: 1, type: 'none' });
  return [el('sound', { model: spec.model ?? 'ich9' }, alias, el('audio', { id: 1 })), audio];
}

/** `<memballoon>`: gives pages that the guest has freed back to the node. */
export function balloon(domain: DomainSpec, facts: DomainFacts): Element[] {
  if (domain.devices.autoattachMemBalloon === false) return [el('memballoon', { model: 'none' })];
  const reporting = facts.freePageReporting && !domain.memory?.hugepages;
  const stats = facts.balloonStatsPeriod > 0 && el('stats', { period: facts.balloonStatsPeriod });
  return [el('memballoon', { model: virtioModel(domain), freePageReporting: onOff(reporting) }, stats)];
}

/** `<vsock>` with the CID that virt-controller gave. */
export function vsock(vmi: VirtualMachineInstance): Element[] {
  const { autoattachVSOCK } = vmi.spec.domain.devices;
  if (!autoattachVSOCK) return [];
  const cid = (vmi.status as { VSOCKCID?: number } | undefined)?.VSOCKCID;
  if (cid === undefined) {
    throw new DomainError('spec.domain.devices.autoattachVSOCK', 'the VMI has no CID', 'wait for virt-controller');
  }
  return [el('vsock', { model: virtioModel(vmi.spec.domain) }, el('cid', { auto: yesNo(false), address: cid }))];
}

/** A VMI with the devices that a table row is about, and its devices as text. */
import type { VirtualMachineInstance, VirtualMachineInstanceStatus } from '../../../../../src/api';
import type { DomainFacts } from '../../../../../src/runtime/launcher/domain/facts';
import { type Element, toXml } from '../../../../../src/runtime/launcher/domain/xml';
import { type Given, factsOf } from './facts';

type Spec = VirtualMachineInstance['spec'];

export interface Fixture extends Given {
  devices?: Spec['domain']['devices'];
  domain?: Partial<Spec['domain']>;
  volumes?: Spec['volumes'];
  networks?: Spec['networks'];
  architecture?: Spec['architecture'];
  annotations?: Record<string, string>;
  status?: VirtualMachineInstanceStatus;
}

export function vmiOf(fixture: Fixture): VirtualMachineInstance {
  const { devices = {}, domain, volumes, networks, architecture, annotations, status } = fixture;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'u', annotations },
    spec: { architecture, domain: { memory: { guest: '64Mi' }, ...domain, devices }, volumes, networks },
    status,
  };
}

type Concern = (vmi: VirtualMachineInstance, facts: DomainFacts) => Element[];

/** XML of a concern, without line breaks. */
export function rendered(concern: Concern, fixture: Fixture): string {
  const vmi = vmiOf(fixture);
  const elements = concern(vmi, factsOf(vmi, fixture));
  return elements.map((element) => toXml(element).replaceAll(/\n\s*/g, '')).join('');
}

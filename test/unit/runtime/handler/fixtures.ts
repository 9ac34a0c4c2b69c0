import type { VirtualMachineInstance } from '../../../../src/api';
import { launcherPodName } from '../../../../src/api/launcher-name';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import type { Observed, PodFacts } from '../../../../src/runtime/handler/instance/observed';
import type { DomainState } from '../../../../src/runtime/protocol';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const at = (ms: number): string => new Date(NOW + ms).toISOString().replace('.000', '');

export const runningDomain: DomainState = {
  status: 'Running',
  reason: 'Unknown',
  machineType: 'pc-q35-10.0',
  cpu: { sockets: 1, cores: 2, threads: 1 },
  memory: { guestCurrent: 512 << 20, guestAtBoot: 512 << 20 },
  interfaces: [{ name: 'default', mac: '02:00:00:00:00:01', infoSource: 'domain' }],
  volumes: [{ name: 'root', target: 'vda' }],
};

/** Everything done, guest running. */
export const allDone: PodFacts = {
  listening: true,
  network: [{ network: 'default', tap: 'tap0', mac: '02:00:00:00:00:01' }],
  disksMounted: true,
  launcherUp: true,
  domain: runningDomain,
  domainStale: false,
  syncedSpec: 'h1',
  writes: [],
};

export function vmi(phase = 'Running', more: object = {}): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { namespace: 'ns', name: 'web', uid: 'vmi-uid', resourceVersion: '7' },
    spec: {
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'root', containerDisk: { image: 'x' } }],
      domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
    },
    status: { phase },
    ...more,
  } as VirtualMachineInstance;
}

export function pod(compute: object = { running: { startedAt: at(-1_000) } }, phase = 'Running'): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'ns',
      name: launcherPodName('web', 'vmi-uid'),
      uid: 'pod-uid',
      creationTimestamp: at(-3_000),
      ownerReferences: [
        { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'vmi-uid', controller: true },
      ],
    },
    spec: {
      containers: [{ name: 'compute', image: 'launcher:1' }],
      volumes: [{ name: 'root', image: true }],
    },
    status: {
      phase,
      qosClass: 'Burstable',
      podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::3' }],
      containerStatuses: [{ name: 'compute', containerID: 'crun://0123456789abcdef', state: compute }],
    },
  } as Pod;
}

export const observed = (more: Partial<Observed> = {}): Observed => ({
  now: NOW,
  node: 'node-a',
  vmi: vmi(),
  pod: pod(),
  attachments: [],
  facts: allDone,
  specHash: 'h1',
  ...more,
});

export const facts = (more: Partial<PodFacts>): PodFacts => ({ ...allDone, ...more });
export const deleted = (grace?: number): VirtualMachineInstance => {
  const made = vmi();
  made.metadata.deletionTimestamp = at(-100);
  made.spec.terminationGracePeriodSeconds = grace;
  return made;
};

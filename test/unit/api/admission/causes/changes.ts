import type { Loose } from '../../fixtures';
import type { ConfigName } from '../causes';

/** A sentence, the change of the valid VMI, and the configuration; all gates are on unless the configuration is another one. */
export type Row = [sentence: string, change: (spec: Loose, vmi: Loose) => void, config?: ConfigName];

export const device = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices, change);
export const domain = (change: Loose) => (s: Loose) => Object.assign(s.domain, change);
export const spec = (change: Loose) => (s: Loose) => Object.assign(s, change);
export const disk = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices.disks[1], change);
export const nic = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices.interfaces[0], change);
export const amounts = (requests: Loose, limits: Loose, more: Loose = {}) =>
  domain({ memory: undefined, resources: { requests, limits }, ...more });
export const pinned = (cpu: Loose, more: Loose = {}) =>
  domain({ cpu: { dedicatedCpuPlacement: true, ...cpu }, ...more });
export const volume =
  (source: Loose, target: Loose = { disk: { bus: 'virtio' } }) =>
  (s: Loose) => {
    s.volumes[1] = { name: 'scratch', ...source };
    s.domain.devices.disks[1] = { name: 'scratch', ...target };
  };
export const bound =
  (binding: Loose, network: Loose = { pod: {} }) =>
  (s: Loose) => {
    s.domain.devices.interfaces = [{ name: 'default', ...binding }];
    s.networks = [{ name: 'default', ...network }];
  };
export const second = (iface: Loose, network: Loose) => (s: Loose) => {
  s.domain.devices.interfaces.push({ name: 'second', bridge: {}, ...iface });
  s.networks.push({ name: 'second', multus: { networkName: 'nad' }, ...network });
};
export const both =
  (...changes: ((s: Loose, vmi: Loose) => void)[]) =>
  (s: Loose, vmi: Loose) =>
    changes.forEach((change) => change(s, vmi));
export const claim = (name: Loose) => ({ name, resourceClaimName: 'x' });
export const claimed = (networks: Loose[], interfaces: Loose[], claims: Loose[] = [claim('c')]) =>
  both(
    spec({ networks: networks.map((resourceClaim, i) => ({ name: `n${i}`, resourceClaim })), resourceClaims: claims }),
    device({ interfaces: interfaces.map((each, i) => ({ name: `n${i}`, ...each })) }),
  );
export const pair = { claimName: 'c', requestName: 'r' };
export const gpus = (list: Loose[], more: Loose = {}) =>
  both(
    spec({ resourceClaims: [claim('c')] }),
    device({ gpus: list.map((each, i) => ({ name: `g${i}`, ...each })), ...more }),
  );
export const text = (length: number): string => 'x'.repeat(length);
export const term = (each: Loose) => ({ matchExpressions: [{ key: 'a', values: ['b'], ...each }] });
export const nodes = (...terms: Loose[]) =>
  spec({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  });
export const preferred = (kind: string, weight: number, each: Loose) =>
  spec({ affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, ...each }] } } });
export const pods = (kind: string, each: Loose) =>
  spec({ affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [each] } } });
export const spread = (...list: Loose[]) =>
  spec({
    topologySpreadConstraints: list.map((each) => ({
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      ...each,
    })),
  });
export const ranges = (...list: [number, number, string?][]) =>
  nic({ ports: undefined, portRanges: list.map(([start, end, protocol = 'TCP']) => ({ start, end, protocol })) });
export const blocks = (custom: Loose, more: Loose = {}) => disk({ blockSize: { custom, ...more } });
export const fs = (name: string) => device({ filesystems: [{ name, virtiofs: {} }] });
export const secure = (change: Loose, more: Loose = {}) =>
  domain({ launchSecurity: change, firmware: { bootloader: { efi: { secureBoot: false } } }, ...more });
export const key = (propagationMethod: Loose, source: Loose = { secret: { secretName: 'x' } }) =>
  spec({ accessCredentials: [{ sshPublicKey: { propagationMethod, source } }] });

import {
  ImageVolumeSupport,
  mountsImageVolumes,
  withImageVolumeSupport,
} from '../../../../../src/runtime/controller/pod/image-volume-support';
import { config, configured, withGates } from '../fixtures';

describe('a Kubernetes version', () => {
  test.each([
    ['v1.31.0', false],
    ['v1.33.7', false],
    ['v1.34.0', false],
    ['v1.34.12', false],
    ['v1.34.3+k3s1', false],
    ['v1.35.0-alpha.1', false],
    ['v1.35.0-beta.0', false],
    ['v1.35.0-rc.1', false],
    ['v1.35.0', true],
    ['v1.35.1-rc.1', true],
    ['v1.35.0-eks-1234567', true],
    ['v1.35.0-gke.100', true],
    ['v1.35.2+rke2r1', true],
    ['1.35.0', true],
    ['1.35-rc.1', false],
    ['1.35+', true],
    ['1.34+', false],
    ['v1.36.0-alpha.1', true],
    ['v1.36.4+virt8s', true],
    ['v1.36.0-virt8s', true],
    ['v1.100.0', true],
    ['v2.0.0', true],
    ['v0.99.0', false],
    ['', false],
    ['latest', false],
  ])('%s mounts image volumes: %s', (version, want) => expect(mountsImageVolumes(version)).toBe(want));
});

describe('container disks are image volumes', () => {
  const disabled = configured({ developerConfiguration: { disabledFeatureGates: ['ImageVolume'] } });
  test.each([
    ['where server and kubelets mount them', config, 'v1.35.0', ['v1.35.0', 'v1.36.0'], true],
    ['where no kubelet runs VMs yet', config, 'v1.35.0', [], true],
    ['not where the server drops them', config, 'v1.34.9', ['v1.36.0'], false],
    ['not where one kubelet cannot mount them', config, 'v1.36.0', ['v1.36.0', 'v1.34.0'], false],
    ['not with a kubelet of unknown version', config, 'v1.36.0', [''], false],
    ['not while the server’s version is not known', config, undefined, ['v1.36.0'], false],
    ['if the gate is enabled by name, with any version', withGates('ImageVolume'), 'v1.33.0', ['v1.33.0'], true],
    ['where the gate is enabled by name, also without a version', withGates('ImageVolume'), undefined, [], true],
    ['not where the gate is disabled by name', disabled, 'v1.36.0', ['v1.36.0'], false],
  ])('%s', (_, given, server, kubelets, want) => {
    const support = new ImageVolumeSupport(() => ({ server, kubelets }));
    expect(withImageVolumeSupport(given, support).hasGate('ImageVolume')).toBe(want);
  });

  test('no other gate depends on versions', () => {
    const detected = withImageVolumeSupport(config, { holds: false });
    expect([detected.hasGate('Snapshot'), detected.hasGate('Sidecar')]).toEqual([true, false]);
  });
});

test('the nodes are read once for all calls until a version may have changed', () => {
  const versions = jest.fn(() => ({ server: 'v1.36.0', kubelets: ['v1.36.0'] }));
  const support = new ImageVolumeSupport(versions);
  const ask = (): boolean => withImageVolumeSupport(config, support).hasGate('ImageVolume');
  expect([ask(), ask(), versions.mock.calls.length]).toEqual([true, true, 1]);
  versions.mockReturnValue({ server: 'v1.36.0', kubelets: ['v1.36.0', 'v1.34.0'] });
  support.forget();
  expect([ask(), ask(), versions.mock.calls.length]).toEqual([false, false, 2]);
});

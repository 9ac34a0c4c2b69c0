import { configured, gated, Loose, refused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const device = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices, change);
const at = 'spec.domain.devices';

describe('devices', () => {
  test.each<Case>([
    ['a tablet', device({ inputs: [{ name: 't', type: 'tablet', bus: 'virtio' }] }), []],
    ['a keyboard', device({ inputs: [{ name: 'k', type: 'keyboard' }] }), [`Invalid ${at}.inputs[0].type`]],
    [
      'a tablet on PS/2',
      device({ inputs: [{ name: 't', type: 'tablet', bus: 'ps2' }] }),
      [`Invalid ${at}.inputs[0].bus`],
    ],
    ['sound without a name', device({ sound: {} }), ['Invalid spec.Sound']],
    ['an unknown sound model', device({ sound: { name: 's', model: 'sb16' } }), ['Invalid spec.Sound']],
    [
      'a screen that nothing attaches',
      device({ video: { type: 'vga' }, autoattachGraphicsDevice: false }),
      ['Invalid spec.video'],
    ],
    ['an unknown panic device', device({ panicDevices: [{ model: 'x' }] }), [`Invalid ${at}.panicDevices[0].model`]],
    [
      'host devices behind their gate',
      device({ hostDevices: [{ name: 'a', deviceName: 'x' }] }),
      ['Invalid spec.HostDevices'],
    ],
    ['no host devices', device({ hostDevices: [] }), []],
    ['VSOCK behind its gate', device({ autoattachVSOCK: true }), [`Invalid ${at}.autoattachVSOCK`]],
    ['metrics behind their gate', device({ downwardMetrics: {} }), [`Invalid ${at}.downwardMetrics`]],
    [
      'two early screens',
      device({ gpus: ['a', 'b'].map((name) => ({ name, deviceName: 'x', virtualGPUOptions: { display: {} } })) }),
      ['Invalid spec.GPUs'],
    ],
    [
      'an unknown I/O thread policy',
      (s) => (s.domain.ioThreadsPolicy = 'many'),
      ['Invalid spec.domain.ioThreadsPolicy'],
    ],
    [
      'a pool of no threads',
      (s) => (s.domain.ioThreadsPolicy = 'supplementalPool'),
      ['Invalid spec.domain.ioThreads.count'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('devices of resource claims', () => {
  const claims =
    (...list: Loose[]) =>
    (s: Loose) =>
      (s.resourceClaims = list);
  const gpus =
    (...list: Loose[]) =>
    (s: Loose) => {
      claims({ name: 'c', resourceClaimName: 'x' })(s);
      device({ gpus: list.map((gpu, i) => ({ name: `g${i}`, ...gpu })) })(s);
    };
  const claim = { claimName: 'c', requestName: 'r' };
  test.each<Case>([
    ['a GPU', gpus(claim), []],
    ['a GPU from nowhere', gpus({}), [`Required ${at}.gpus`]],
    ['a GPU from two places', gpus({ ...claim, deviceName: 'x' }), [`Invalid ${at}.gpus`]],
    ['GPUs of both kinds', gpus(claim, { deviceName: 'x' }), [`Invalid ${at}.gpus`]],
    ['a GPU without a request', gpus({ claimName: 'c' }), [`Required ${at}.gpus[0].requestName`]],
    ['a request twice', gpus(claim, claim), [`Duplicate ${at}.gpus[1]`]],
    ['a claim that is not there', gpus({ ...claim, claimName: 'd' }), ['Invalid spec.resourceClaims']],
    ['a claim of no name', claims({ resourceClaimName: 'x' }), ['Required spec.resourceClaims[0].name']],
    ['a claim of no source', claims({ name: 'c' }), ['Invalid spec.resourceClaims[0]']],
    [
      'a claim of two sources',
      claims({ name: 'c', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }),
      ['Invalid spec.resourceClaims[0]'],
    ],
    [
      'a claim twice',
      claims(...[1, 2].map(() => ({ name: 'c', resourceClaimName: 'x' }))),
      ['Duplicate spec.resourceClaims[1].name'],
    ],
    [
      'a name that is not valid',
      claims({ name: 'C_', resourceClaimName: 'X_' }),
      ['Invalid spec.resourceClaims[0].name', 'Invalid spec.resourceClaims[0].resourceClaimName'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('a gate may be switched off', () => {
    const off = configured({ developerConfiguration: { disabledFeatureGates: ['GPUsWithDRA'] } });
    expect(refused(gpus(claim), off)).toEqual([`Invalid ${at}.gpus`]);
  });
});

describe('GPUs of NVIDIA Grace', () => {
  const permitted = (pciVendorSelector: string, ...featureGates: string[]) =>
    configured({
      developerConfiguration: { featureGates },
      permittedHostDevices: { pciHostDevices: [{ pciVendorSelector, resourceName: 'nvidia.com/GB' }] },
    });
  const change = device({ gpus: [{ name: 'g', deviceName: 'nvidia.com/GB' }] });
  const field = `Invalid ${at}.gpus[0].deviceName`;

  test('are behind a gate', () => {
    expect(refused(change, permitted('10de:2342'))).toEqual([field]);
    expect(refused(change, permitted('10de:1eb8'))).toEqual([]);
  });

  test('need arm64, pinned CPUs and two other gates', () =>
    expect(refused(change, permitted('0x10DE:2342', 'GraceIOVirtualization'))).toEqual([
      'Invalid spec.architecture',
      'Invalid spec.domain.machine.type',
      'Required spec.domain.cpu.dedicatedCpuPlacement',
      `Invalid ${at}`,
    ]));

  test('are named exactly', () =>
    expect(refused(change, permitted('10de:*', 'GraceIOVirtualization'))).toEqual([field]));

  test('do not go with annotations that move devices', () => {
    const gates = ['GraceIOVirtualization', 'PCINUMAAwareTopology', 'IOMMUFD'];
    const both = (s: Loose, vmi: Loose): void => {
      change(s);
      s.architecture = 'arm64';
      s.domain.cpu = { cores: 2, dedicatedCpuPlacement: true };
      vmi.metadata.annotations = { 'kubevirt.io/disablePCIHole64': 'true' };
    };
    expect(refused(both, permitted('10de:2342', ...gates))).toEqual([
      'Invalid metadata.annotations[kubevirt.io/disablePCIHole64]',
    ]);
  });
});

test('a gate that is on lets its devices pass', () => {
  const all = gated('HostDevices', 'VSOCK', 'DownwardMetrics');
  const change = device({ hostDevices: [{ name: 'a', deviceName: 'x' }], autoattachVSOCK: true, downwardMetrics: {} });
  expect(refused(change, all)).toEqual([]);
});

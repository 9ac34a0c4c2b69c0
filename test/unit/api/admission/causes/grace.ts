import type { Loose } from '../../fixtures';
import { both, device, domain, type Row, spec } from './changes';

const gpu = device({
  gpus: [
    { name: 'g', deviceName: 'nvidia.com/GB' },
    { name: 't', deviceName: 'nvidia.com/T4' },
  ],
});
const host = device({
  hostDevices: [
    { name: 'h', deviceName: 'nvidia.com/GB' },
    { name: 'x', deviceName: 'other' },
  ],
});
const moved = (value: string) => (_: Loose, vmi: Loose) =>
  (vmi.metadata.annotations = {
    'kubevirt.io/placePCIDevicesOnRootComplex': value,
    'kubevirt.io/disablePCIHole64': value,
  });
const sound = both(spec({ architecture: 'arm64' }), domain({ cpu: { cores: 1, dedicatedCpuPlacement: true } }));

export const grace: readonly Row[] = [
  ['a GPU of Grace', both(gpu, sound), 'grace'],
  ['a GPU of Grace that is moved', both(gpu, sound, moved('true')), 'grace'],
  ['a GPU of Grace that is not moved', both(gpu, sound, moved('false')), 'grace'],
  ['no GPU that is moved', both(sound, moved('true')), 'grace'],
  ['a host device of Grace that is moved', both(host, sound, moved('true')), 'grace'],
  ['a GPU of Grace on amd64', gpu, 'grace'],
  ['a host device of Grace on amd64', host, 'graceAlone'],
  ['a GPU of Grace in another machine', both(gpu, sound, domain({ machine: { type: 'q35' } })), 'grace'],
  ['a GPU of Grace in its machine', both(gpu, sound, domain({ machine: { type: 'virt-9.1' } })), 'grace'],
  ['a GPU of Grace behind its gate', gpu, 'graceOff'],
  ['a host device of Grace behind its gate', host, 'graceOff'],
  ['a GPU of a claim', both(device({ gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }] }), sound), 'grace'],
  ['a GPU of another vendor that has the number of a Grace', gpu, 'graceOther'],
  ['a GPU of any NVIDIA', gpu, 'graceAny'],
  ['a GPU of a selector that is not valid', gpu, 'graceBroken'],
  ['a GPU that nobody permits', gpu],
];

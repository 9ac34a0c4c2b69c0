import { cgroupsOf } from '../../../../../src/runtime/handler/hotplug/device-cgroups';

const id = 'abcdef0123456789';
const container = `/kubepods/podab-c/${id}`;
const scope = `/kubepods.slice/kubepods-podab_c.slice/crio-${id}.scope`;

test.each([
  ['version 1', `5:devices:${container}`, { listed: container, programmed: [] }],
  ['version 1 with two controllers', `5:cpu,devices:${container}/inner/x`, { listed: container, programmed: [] }],
  ['both versions', `5:devices:${container}\n0::/`, { listed: container, programmed: [] }],
  ['version 1 without devices', '4:memory:/x', { programmed: [] }],
  ['version 2', `0::${container}`, { programmed: [container] }],
  ['version 2 with systemd', `0::${scope}/container`, { programmed: [scope, `${scope}/container`] }],
  [
    'a deep path of version 2',
    `0::${container}/1/2/3/4`,
    { programmed: [container, `${container}/1`, `${container}/1/2`, `${container}/1/2/3`] },
  ],
])('finds the cgroups of %s', (_, lines, expected) => {
  expect(cgroupsOf(`${lines}\n`, id)).toEqual(expected);
});

test.each([`0::/kubepods/podab-c/1${id}`, '5:devices:/'])('rejects the process of another container: %s', (line) => {
  expect(() => cgroupsOf(`${line}\n`, id)).toThrow(`the cgroup of container ${id} was not found`);
});

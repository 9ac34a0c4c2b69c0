import { created, type Loose, object } from './fixtures';

const preset = (spec: Loose): Loose =>
  object('kubevirt.io/v1', 'VirtualMachineInstancePreset', { selector: {}, ...spec });

test.each<[string, Loose, string[]]>([
  ['accepts a preset of the CPU', { domain: { cpu: { cores: 2 }, devices: {} } }, []],
  ['reports a preset without a domain', {}, ['preset-domain spec.domain']],
  [
    'reports two disks of one name',
    {
      domain: {
        devices: {
          disks: [
            { name: 'a', disk: {} },
            { name: 'a', disk: {} },
          ],
        },
      },
    },
    ['disk-name-unique spec.domain.devices.disks[1].name'],
  ],
])('%s', (_, spec, want) => expect(created(preset(spec))).toEqual(want));

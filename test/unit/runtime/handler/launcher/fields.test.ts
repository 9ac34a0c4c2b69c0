import { parseFields } from '../../../../../src/runtime/handler/launcher/fields';

test.each<[string, string[] | undefined, string[]]>([
  ['an older launcher reports nothing', undefined, []],
  [
    'fields and named items',
    ['spec.domain.cpu.sockets', 'spec.volumes[my-data.1]'],
    ['spec.domain.cpu.sockets', 'spec.volumes[my-data.1]'],
  ],
  ['other text', ['', 'status.x', 'spec.x; rm', 'spec.\u001b[31m', 'spec.\n', 'spec.ä'], ['spec']],
  ['none', [], []],
  [
    'a resource of a device',
    ['spec.domain.resources.limits.devices.kubevirt.io/kvm'],
    ['spec.domain.resources.limits.devices.kubevirt.io/kvm'],
  ],
  ['a field behind many that cannot be read', [...Array<string>(20).fill('x'), 'spec.a'], ['spec.a']],
  ['a path of the longest length', [`spec${'a'.repeat(200)}`], [`spec${'a'.repeat(200)}`]],
  ['a longer one', [`spec${'a'.repeat(201)}`], ['spec']],
  ['too many', Array<string>(21).fill('spec.a'), Array<string>(20).fill('spec.a')],
])('%s', (_, fields, want) => expect(parseFields(fields)).toEqual(want));

import { VirtualMachineInstance } from '../../../src/api';
import { applyPresets, presetWarnings } from '../../../src/api/presets';
import type { Loose } from './fixtures';
import { cluster } from './instancetype/fixtures';

const preset = (name: string, domain: Loose, selector: Loose = { matchLabels: { app: 'web' } }): Loose => ({
  kind: 'VirtualMachineInstancePreset',
  metadata: { name, namespace: 'default' },
  spec: { selector, domain },
});
const vmi = (domain: Loose = {}, annotations?: Loose): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web' }, ...(annotations ? { annotations } : {}) },
  spec: { domain: { devices: {}, ...domain } },
});
const took = ({ metadata }: VirtualMachineInstance): string[] =>
  Object.keys(metadata.annotations ?? {}).flatMap(
    (key) => /^virtualmachinepreset\.kubevirt\.io\/(.*)/.exec(key)?.[1] ?? [],
  );

describe('a preset fills what is open', () => {
  test.each<[string, Loose, Loose, Loose, boolean]>([
    ['CPU', { cpu: { cores: 4 } }, {}, { cpu: { cores: 4 } }, true],
    ['firmware', { firmware: { uuid: 'u' } }, {}, { firmware: { uuid: 'u' } }, true],
    ['features', { features: { acpi: {} } }, {}, { features: { acpi: {} } }, true],
    ['a watchdog', { devices: { watchdog: { name: 'w' } } }, {}, { devices: { watchdog: { name: 'w' } } }, true],
    ['threads', { ioThreadsPolicy: 'auto' }, {}, { ioThreadsPolicy: 'auto' }, true],
    [
      'requests',
      { resources: { requests: { memory: '1Gi' } } },
      {},
      { resources: { requests: { memory: '1Gi' } } },
      true,
    ],
    [
      'no single request',
      { resources: { requests: { memory: '1Gi' } } },
      { resources: { requests: { cpu: '1' } } },
      { resources: { requests: { cpu: '1' } } },
      false,
    ],
    ['a clock', { clock: { utc: {}, timer: { hpet: {} } } }, {}, { clock: { utc: {}, timer: { hpet: {} } } }, true],
    [
      'timers beside an own offset',
      { clock: { utc: {}, timer: { hpet: {} } } },
      { clock: { timezone: 'CET' } },
      { clock: { timezone: 'CET', timer: { hpet: {} } } },
      true,
    ],
    ['no CPU where there is one', { cpu: { cores: 4 } }, { cpu: { cores: 2 } }, { cpu: { cores: 2 } }, false],
    ['nothing, when it is the same', { cpu: { cores: 4 } }, { cpu: { cores: 4 } }, { cpu: { cores: 4 } }, true],
    ['nothing else', { memory: { guest: '1Gi' } }, {}, {}, false],
  ])('%s', (_, wanted, own, want, isTold) => {
    const { vmi: result, errors } = applyPresets(vmi(own), cluster([preset('p', wanted)]));
    expect(errors).toEqual([]);
    expect(result.spec.domain).toEqual({ devices: {}, ...want });
    expect(took(result)).toEqual(isTold ? ['p'] : []);
    expect(presetWarnings(result)).toHaveLength(isTold ? 1 : 0);
  });
});

describe('a preset chooses', () => {
  test.each<[string, Loose, boolean]>([
    ['everything without a selector', {}, true],
    ['by labels', { matchLabels: { app: 'web' } }, true],
    ['not by other labels', { matchLabels: { app: 'db' } }, false],
    ['by expressions', { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, true],
  ])('%s', (_, selector, want) => {
    const { vmi: result } = applyPresets(vmi(), cluster([preset('p', { cpu: { cores: 4 } }, selector)]));
    expect(took(result)).toEqual(want ? ['p'] : []);
  });

  test('none that is in another namespace, and no VMI that excludes itself', () => {
    const far = preset('p', { cpu: { cores: 4 } });
    far.metadata.namespace = 'other';
    expect(took(applyPresets(vmi(), cluster([far])).vmi)).toEqual([]);
    const excluded = vmi({}, { 'virtualmachineinstancepresets.admission.kubevirt.io/exclude': 'true' });
    expect(applyPresets(excluded, cluster([preset('p', { cpu: { cores: 4 } })])).vmi).toBe(excluded);
  });
});

describe('a VMI is refused', () => {
  test('when presets contradict each other', () => {
    const presets = [preset('a', { cpu: { cores: 4 } }), preset('b', { cpu: { cores: 2 } })];
    const { vmi: result, errors } = applyPresets(vmi(), cluster(presets));
    expect(errors[0].cause).toBe(
      "VirtualMachinePresets cannot be applied due to conflicts: presets 'b' and 'a' conflict: " +
        'spec.cpu: {"cores":2} != {"cores":4}',
    );
    expect(errors[0].rule).toBe('preset-conflict');
    expect(took(result)).toEqual([]);
  });

  test('when a selector cannot be read', () => {
    const bad = preset('a', {}, { matchExpressions: [{ key: 'app', operator: 'Like', values: ['x'] }] });
    expect(applyPresets(vmi(), cluster([bad])).errors[0].cause).toContain('"Like" is not a valid');
  });

  test('but not for presets of different parts, or other words for the same amount', () => {
    const presets = [
      preset('a', { resources: { requests: { memory: '1Gi' } } }),
      preset('b', { resources: { requests: { memory: '1024Mi' } }, cpu: { cores: 2 } }),
    ];
    const { vmi: result, errors } = applyPresets(vmi(), cluster(presets));
    expect(errors).toEqual([]);
    expect(took(result)).toEqual(['a', 'b']);
  });
});

/** What fuzzing has found, each as the least program that shows it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Duration, JsonPatch, Lazy, Size, Testing } from 'cdk8s';
import {
  CloudNetwork,
  Cpu,
  DataImportCron,
  DataVolumeSource,
  Disk,
  NetworkAttachment,
  PlatformImages,
  Preference,
  Sysprep,
  VirtPlatform,
  VirtualMachine,
  VirtualMachineClone,
  VirtualMachineInstancePreset,
  VmProbe,
  WindowsAdmin,
  WindowsDisk,
  WindowsImage,
  WindowsRelease,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart, testVm } from '../fixtures';

const any = (value: unknown): never => value as never;

describe('what a construct is given', () => {
  test.each<[string, () => unknown, string]>([
    [
      'an id that is not a string',
      () => new VirtualMachine(testChart(), any(5)),
      'new construct: id: must be a string, not a number\n  write it in quotes [type]',
    ],
    [
      'a patch of another class',
      () => testVm().clone('copy', { patches: [any(Cpu.cores(1))] }),
      'VirtualMachine.clone: options.patches[0]: must be a JsonPatch, not a Cpu\n  use JsonPatch.add(…) or JsonPatch.replace(…)',
    ],
    [
      'an id that no message could repeat',
      () => new VirtualMachine(testChart(), 'x'.repeat(100_000)),
      'new construct: id: must be at most 253 characters long\n  shorten it: object names are generated from ids [type]',
    ],
    [
      'an invalid scope',
      () => new VirtPlatform(any('chart'), 'platform', any({})),
      'new construct: scope: must be a Construct, not a string\n  pass the Chart or the construct that contains this one [type]',
    ],
    [
      'an invalid scope for a VM of another library',
      () => VirtualMachine.fromName(any({ node: {} }), 'vm', 'vm'),
      'VirtualMachine.fromName: scope: must be a Construct, not an object\n  pass a Construct [type]',
    ],
    [
      'half a second where whole ones are written',
      () => new Preference(testChart(), 'linux', { terminationGracePeriod: Duration.millis(1500) }),
      'web/linux: terminationGracePeriod: 1.5 is not a whole number of seconds\n  round it: Duration.seconds(2) [duration-whole]',
    ],
    [
      'half a second in a probe',
      () => testVm({ readiness: VmProbe.fromTcpSocket(any(22), { period: Duration.millis(100) }) }),
      'VmProbe.fromTcpSocket: period: 0.1 is not a whole number of seconds\n  round it: Duration.seconds(1) [duration-whole]',
    ],
    [
      'half a second of a VM',
      () => testVm({ terminationGracePeriod: Duration.millis(1500) }),
      'web/vm: terminationGracePeriod: 1.5 is not a whole number of seconds\n  round it: Duration.seconds(2) [duration-whole]',
    ],
    [
      'a fraction of a millisecond, which cdk8s cannot convert',
      () => testVm({ terminationGracePeriod: Duration.seconds(0.0005) }),
      'web/vm: terminationGracePeriod: 0.5 ms is not a whole number of milliseconds\n  round it: Duration.millis(1) [duration-whole]',
    ],
    [
      'a duration that is not a number',
      () => testVm({ readiness: VmProbe.fromTcpSocket(22, { period: Duration.minutes(NaN) }) }),
      'VmProbe.fromTcpSocket: options.period: NaN ms is not a whole number of milliseconds\n  check how it is calculated [duration-whole]',
    ],
    [
      'an empty id',
      () => new VirtualMachine(testChart(), '', {}),
      'new construct: id: must be at least one character long\n  name the construct [type]',
    ],
    [
      'a scope outside of any chart',
      () => new VirtualMachine(any(new App()), 'vm', {}),
      'new construct: scope: must be in a Chart\n  pass a Chart, or a construct within one [type]',
    ],
    [
      'less than a mebibyte for a partition',
      () =>
        Sysprep.install({
          admin: WindowsAdmin.builtIn(),
          release: WindowsRelease.WINDOWS_11,
          disk: WindowsDisk.uefi({ bootSize: Size.kibibytes(4) }),
          image: WindowsImage.index(1),
        }),
      'Sysprep.install: bootSize: 0.00390625 is not a whole number of MiB\n  round it: Size.mebibytes(1) [size-whole]',
    ],
    [
      'a token where a list is read at once',
      () =>
        new VirtualMachineClone(testChart(), 'clone', {
          source: any({}),
          templateLabelFilters: any(Lazy.any({ produce: () => [] })),
        }),
      'templateLabelFilters: must be a list, not a Lazy\n  write it in brackets: […] [type]',
    ],
    [
      'a token for the configuration of a network',
      () => new NetworkAttachment(testChart(), 'net', { config: any(Lazy.any({ produce: () => ({}) })) }),
      'config: must be a Cni, not a Lazy',
    ],
    [
      'a label that is not data',
      () => testVm({ metadata: { labels: any({ team: new Map() }) } }),
      'web/vm: metadata.labels.team: must be a string, not a Map\n  pass a string [type]',
    ],
    [
      'metadata that cannot be written',
      () => testVm({ metadata: any({ extra: [new Uint8Array(4)] }) }),
      'web/vm: metadata.extra[0]: must be data that YAML can represent, not an Uint8Array\n  use strings, numbers, true and false, in lists and objects [type]',
    ],
    [
      'a field that metadata does not have',
      () => testVm({ metadata: any({ label: { a: 'b' } }) }),
      'unknown field "label" (allowed: "annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generateName", "generation", "labels", "managedFields", "name", "namespace", "ownerReferences", "resourceVersion", "selfLink", "uid")\n  did you mean "labels"? [schema-unknown-field]',
    ],
    [
      'a selector that cannot be written',
      () => new VirtualMachineInstancePreset(testChart(), 'preset', { selector: any({ matchLabels: /a/ }) }),
      'web/preset: selector.matchLabels: must be data that YAML can represent, not a RegExp',
    ],
    [
      'a key that cdk8s takes for a class',
      () => testVm({ metadata: { labels: any({ constructor: 'x' }) } }),
      'web/vm: metadata.labels: must be data that YAML can represent, not an object',
    ],
    [
      'metadata as a token',
      () => testVm({ metadata: any(Lazy.any({ produce: () => ({}) })) }),
      'web/vm: metadata: must be an ApiObjectMetadata, not a Lazy\n  write it in braces: { name, labels, annotations … } [type]',
    ],
  ])('reports %s instead of a TypeError from inside', (_, action, want) => expect(mistakeOf(action)).toContain(want));

  test('a label may be known as late as at synth', () => {
    const vm = testVm({ metadata: { labels: { team: any(Lazy.any({ produce: () => 'db' })) } } });
    expect(Testing.synth(Chart.of(vm))[0].metadata.labels).toEqual({ team: 'db' });
  });

  test('lists without an end and what is deeper than any manifest are refused at once', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i += 1) deep = { spec: deep };
    const endless = new Array(2 ** 32 - 1);
    for (const props of [
      { disks: endless },
      { instanceSpec: { volumes: endless } },
      { metadata: { finalizers: endless } },
    ]) {
      expect(mistakeOf(() => testVm(any(props)))).toContain('must be a list of at most 10000 items');
    }
    for (const props of [{ instanceSpec: deep }, { metadata: { deep } }]) {
      expect(mistakeOf(() => testVm(any(props)))).toContain('must be at most 100 levels deep');
    }
  });

  test('reports the first of many mistakes, and their number', () => {
    const text = mistakeOf(() => testVm({ disks: any(Array.from({ length: 3_000 }, () => null)) }));
    expect(text.split('\n')[0]).toBe('web/vm: 3000 mistakes');
    expect(text.split('\n').at(-1)).toBe('web/vm: and 2900 more');
  });

  test('keys stay one short line, too', () => {
    const key = `${'\n'.repeat(40_000)}\u202e`;
    for (const props of [{ limits: { [key]: new Map() } }, { metadata: { labels: { [key]: 'x' } } }]) {
      const text = mistakeOf(() => testVm(any(props)));
      expect(text.split('\n')).toHaveLength(2);
      expect(text.length).toBeLessThan(2_500);
    }
  });

  test('escapes line breaks and bidirectional characters in messages', () => {
    const text = mistakeOf(() => PlatformImages.of({ registry: 'registry.example', tag: 'a\nb\u202e' }));
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('a\\u000ab\\u202e');
  });
});

describe('what synth writes', () => {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  /** An app with two charts; the first is right. */
  function twoCharts(): { app: App; second: Chart; written: () => string[] } {
    const outdir = mkdtempSync(join(tmpdir(), 'virt8s-found-'));
    folders.push(outdir);
    const app = new App({ outdir });
    testVm({}, new Chart(app, 'web'));
    return { app, second: new Chart(app, 'zone'), written: () => readdirSync(outdir) };
  }

  test('nothing in a list of arguments is one that is missing', () => {
    expect(mistakeOf(() => CloudNetwork.v1(any(undefined)))).toContain('CloudNetwork.v1: items: must be');
  });

  test('reports a mistake again at synth if the caller of the constructor caught it', () => {
    const chart = testChart();
    const source = DataVolumeSource.http('https://mirror.example/os.qcow2');
    const wrong = (): unknown => new DataImportCron(chart, 'cron', { source, size: Size.gibibytes(1) } as never);
    expect(mistakeOf(wrong)).toContain('[cron-source]');
    expect(synthMistake(chart)).toContain('[cron-source]');
  });

  test.each<[string, JsonPatch]>([
    ['a patch whose value has no form', JsonPatch.add('/spec/template/spec/hostname', 10n)],
    ['a patch of the kind, after which files are named', JsonPatch.replace('/kind', 'x'.repeat(100_000))],
    ['a patch of what is not there', JsonPatch.replace('/spec/none/of/this', 1)],
    ['a patch whose path has no slash', JsonPatch.add('spec.template.metadata', {})],
  ])('%s leaves nothing half-written', (_, patch) => {
    const { app, second, written } = twoCharts();
    ApiObject.of(testVm({}, second)).addJsonPatch(patch);
    expect(mistakeOf(() => app.synth())).toMatch(
      /\[zone\/vm\] .*\n {2}correct the arguments of addJsonPatch \[json-patch\]/,
    );
    expect(written()).toEqual([]);
  });

  test('a mistake in the second chart leaves nothing of the first', () => {
    const { app, second, written } = twoCharts();
    const disk = Disk.emptyDisk(Size.gibibytes(1), { name: 'twice' });
    testVm({ disks: [disk, disk] }, second);
    expect(mistakeOf(() => app.synth())).toContain('[disk-name-unique]');
    expect(written()).toEqual([]);
  });
});

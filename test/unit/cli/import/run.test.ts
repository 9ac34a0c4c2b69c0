/** The command: its files and messages. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runImport, type ImportFlags } from '../../../../src/cli/import/run';
import { objectsOf, synthesized } from './imported';

let folder: string;
let out: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-import-'));
  out = '';
  said = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  jest.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** A file of the folder with this text. */
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const run = (words: string[], flags: ImportFlags = {}): Promise<number> => runImport(words, flags, 'virt8s');

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: b}\n`;

test('without -o the code is written to standard output, and the summary to standard error', async () => {
  expect(await run([file('a.yaml', configMap('a'))])).toBe(0);
  expect(out).toContain("new ApiObject(chart, 'a', {");
  expect(said).toEqual([
    '1 object, all reproduced exactly: 0 as constructs, 1 as plain objects; 0 % of the fields are properties',
  ]);
});

test('a folder is its manifests by name, each with a chart of its own', async () => {
  file('b.yaml', configMap('two'));
  file('a.json', JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } }));
  file('notes.txt', 'no manifest');
  expect(await run([folder])).toBe(0);
  expect(synthesized(out).map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
  expect(out).toMatch(/const aChart = new Chart\(app, 'a'[^]*const bChart = new Chart\(app, 'b'/);
});

test('documents and items of a List stay in their order', async () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${configMap('z').trimEnd().replaceAll('\n', '\n  ')}\n`;
  expect(await run([file('a.yaml', `${configMap('m')}---\n${list}---\n${configMap('a')}`)])).toBe(0);
  expect(synthesized(out).map(({ metadata }) => metadata.name)).toEqual(['m', 'z', 'a']);
});

describe('-o', () => {
  test('writes a complete app, and prints how to run it', async () => {
    const output = join(folder, 'app.ts');
    expect(await run([file('a.yaml', configMap('a'))], { output })).toBe(0);
    expect(readFileSync(output, 'utf8')).toMatch(/^\/\/ written by: virt8s import .*a\.yaml -o .*app\.ts\n/);
    expect(said.at(-1)).toBe(`${output} was written; run it with: npx tsx ${output}`);
    expect(readdirSync(folder)).toEqual(['a.yaml', 'app.ts']);
    expect(out).toBe('');
  });

  test('does not replace a file without --force', async () => {
    const output = file('app.ts', 'mine\n');
    const input = file('a.yaml', configMap('a'));
    await expect(run([input], { output })).rejects.toThrow(
      'app.ts already exists; choose another file, or overwrite it with --force',
    );
    expect(readFileSync(output, 'utf8')).toBe('mine\n');
    expect(await run([input], { output, force: true })).toBe(0);
    expect(readFileSync(output, 'utf8')).toContain('ApiObject');
    expect(readdirSync(folder)).toEqual(['a.yaml', 'app.ts']);
  });

  test('into a missing folder is an error', async () => {
    await expect(run([file('a.yaml', configMap('a'))], { output: join(folder, 'no', 'app.ts') })).rejects.toThrow(
      /the folder .*no does not exist; create it first$/,
    );
  });

  test('finds its own folder the way that Node will read the file', async () => {
    const input = file('a.yaml', configMap('a'));
    mkdirSync(join(folder, 'esm'));
    writeFileSync(join(folder, 'esm', 'package.json'), '{"type":"module"}');
    for (const name of ['plain.ts', 'm.mts', 'esm/app.ts', 'esm/c.cts']) {
      expect(await run([input], { output: join(folder, name) })).toBe(0);
    }
    const uses = (name: string): boolean => readFileSync(join(folder, name), 'utf8').includes('import.meta.dirname');
    expect(['plain.ts', 'm.mts', 'esm/app.ts', 'esm/c.cts'].map(uses)).toEqual([false, true, true, false]);
  });
});

test.each([
  ['broken YAML', 'a: [1\n', /a\.yaml:\d+:\d+: .*; /],
  ['a document that is not an object', 'just words\n', /a\.yaml:1:1: this is the string "just words", not an object; /],
  [
    'an object without a kind',
    'apiVersion: v1\nmetadata: {}\n',
    /a\.yaml:1:1: kind is missing or is not a string; add kind/,
  ],
])('%s is reported with its line, and nothing is written', async (_, text, message) => {
  const output = join(folder, 'app.ts');
  expect(await run([file('good.yaml', configMap('a')), file('a.yaml', text)], { output })).toBe(2);
  expect(said[0]).toMatch(message);
  expect(readdirSync(folder)).toEqual(['a.yaml', 'good.yaml']);
  expect(out).toBe('');
});

test('a file that is missing or empty is reported', async () => {
  expect(await run([join(folder, 'none.yaml')])).toBe(2);
  expect(said[0]).toMatch(/none\.yaml: the file does not exist; check the path$/);
  await expect(run([file('empty.yaml', '# nothing\n')])).rejects.toThrow(/empty\.yaml: the files contain no object$/);
});

test("omits and reports fields that a cluster wrote, but keeps an author's own status", async () => {
  const live = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  uid: 1b4df6e1
  resourceVersion: "12"
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields: [{manager: kubectl}]
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
data: {a: b}
status: {phase: x}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: b}
status: {phase: x}
`;
  expect(await run([file('a.yaml', live)])).toBe(0);
  expect(synthesized(out)).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } },
    ...objectsOf(live).slice(1),
  ]);
  expect(said[0]).toBe(
    'ConfigMap a: omitted, because the cluster sets it: status, metadata.managedFields, metadata.uid, ' +
      'metadata.resourceVersion, metadata.creationTimestamp, annotation kubectl.kubernetes.io/last-applied-configuration',
  );
});

test('values of Secrets are in the code; the warning does not repeat them', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: hunter2}\n';
  expect(await run([file('a.yaml', secret)])).toBe(0);
  expect(out).toContain('hunter2');
  expect(said[0]).toMatch(/^Secret login: its values \(password\) are now in the code; read them from the environment/);
  expect(said.join()).not.toContain('hunter2');
});

test('a password in user data is reported, without the password', async () => {
  const userData = '#cloud-config\\npassword: hunter2\\n';
  const volume = `{ name: ci, cloudInitNoCloud: { userData: "${userData}" } }`;
  const vmi = `apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata: {name: a}\nspec: {volumes: [${volume}]}\n`;
  expect(await run([file('a.yaml', vmi)])).toBe(0);
  expect(said[0]).toMatch(/^VirtualMachineInstance a: its user data holds a password or a private key, which is now/);
  expect(said.join()).not.toContain('hunter2');
});

test('a name cannot leave its comment or its text', async () => {
  const name = 'a\\u2028console.log(1)\\nprocess.exit(1)//${x}`';
  const object = `{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachineInstance","metadata":{"name":"${name}"},"spec":{"domain":{"cpu":{"cores":0}}}}`;
  const input = join(folder, 'b\nthrow 1.json');
  writeFileSync(input, object);
  expect(await run([input])).toBe(0);
  expect(synthesized(out)).toEqual(objectsOf(object));
});

describe('libvirt', () => {
  const domain = (disk: string): string =>
    `<domain type="kvm"><name>web</name><memory unit="GiB">1</memory><devices>
      <disk type="file"><source file="${disk}"/><target dev="vda" bus="virtio"/></disk><shmem name="x"/></devices></domain>`;

  test('a disk whose file is here is uploaded, at the size that the guest sees', async () => {
    const qcow = Buffer.alloc(64);
    qcow.write('QFI\xfb', 'latin1');
    qcow.writeBigUInt64BE(10n * 1024n ** 3n, 24);
    writeFileSync(join(folder, 'web.qcow2'), qcow);
    expect(await run(['libvirt', file('web.xml', domain(join(folder, 'web.qcow2')))])).toBe(0);
    expect(out).toContain("Disk.upload(Size.gibibytes(10), { name: 'vda' })");
    expect(said[0]).toMatch(
      /the disk vda waits for .*web\.qcow2; after applying the VM, run: virtctl image-upload dv web-vda/,
    );
  });

  test('any other disk becomes a claim, with a remark on how to fill it', async () => {
    expect(await run(['libvirt', file('web.xml', domain('/none/web.qcow2'))])).toBe(0);
    expect(out).toContain("Disk.persistentVolumeClaim({ name: 'web-vda' }, { name: 'vda' })");
    expect(out).toContain('// Elements without a counterpart in KubeVirt:\n//   devices: <shmem name="x"/>\n');
    expect(said[1]).toMatch(/domain web: 1 element has no counterpart \(see the comment in the code\)$/);
  });

  test.each([
    ['<network/>', /this is a <network>, not a <domain>; print a domain with: virsh dumpxml NAME$/],
    ['<domain', /web\.xml: /],
    [
      '<domain type="lxc"><name>a</name></domain>',
      /domains of the type lxc are not supported \(allowed: kvm, qemu, hvf, xen\)$/,
    ],
    ['<!DOCTYPE d [<!ENTITY a "b">]><domain/>', /entity declarations are not allowed$/],
  ])('%s is reported', async (text, message) => {
    expect(await run(['libvirt', file('web.xml', text)])).toBe(2);
    expect(said).toEqual([expect.stringMatching(message)]);
    expect(out).toBe('');
  });
});

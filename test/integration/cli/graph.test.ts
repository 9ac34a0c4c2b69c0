import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleInto } from './bundle';

/** `virt8s graph` as it is shipped. */
let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-graph-'));
  bundle = await bundleInto(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
function graph(args: string[], input = ''): Promise<Result> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [bundle, 'graph', ...args], { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
const xmllint = (file: string, ...args: string[]): Promise<string> =>
  new Promise((done, fail) =>
    execFile('xmllint', ['--nonet', ...args, file], (error, stdout, stderr) =>
      error ? fail(new Error(stderr)) : done(stdout),
    ),
  );

const manifest = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: web, namespace: shop}
spec:
  instancetype: {name: small}
  template:
    metadata: {labels: {app: web}}
    spec:
      domain: {devices: {disks: [{name: root, disk: {bus: virtio}}]}}
      volumes: [{name: root, persistentVolumeClaim: {claimName: root}}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

test('a folder becomes an SVG with a node for each object and an edge for each reference', async () => {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/app.k8s.yaml'), manifest);
  // cdk8s synth writes dist, which is also read by default
  expect(await graph(['--out', 'app.svg'])).toEqual({ code: 0, stdout: '', stderr: '' });
  const svg = join(folder, 'app.svg');
  const count = async (type: string): Promise<string> =>
    (await xmllint(svg, '--xpath', `count(//*[local-name()="g"][starts-with(@class, "${type}")])`)).trim();
  expect([await count('node'), await count('edge')]).toEqual(['4', '3']);
  const titles = await xmllint(
    svg,
    '--xpath',
    '//*[local-name()="g"][starts-with(@class, "edge")]/*[local-name()="title"]/text()',
  );
  expect(titles.trim().replaceAll('&gt;', '>').split('\n').sort()).toEqual([
    'Service/shop/web->VirtualMachine/shop/web',
    'VirtualMachine/shop/web->VirtualMachineClusterInstancetype/small',
    'VirtualMachine/shop/web:e->PersistentVolumeClaim/shop/root',
  ]);
  expect((await graph(['dist'])).stdout).toBe(readFileSync(svg, 'utf8'));
});

test('standard input becomes DOT', async () => {
  const { code, stdout } = await graph(['-', '-o=dot'], manifest);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^digraph virt8s \{\n[^]*"Service\/shop\/web" -> "VirtualMachine\/shop\/web"[^]*\}\n$/);
});

test.each([
  ['a file that is not there', ['missing.yaml'], /missing\.yaml: the file does not exist; check the path\n$/],
  [
    'a document that is not an object',
    ['broken.yaml'],
    /^broken\.yaml:1: kind is missing or is not a string; add kind, for example kind: VirtualMachine\n$/,
  ],
])('%s ends with 2', async (_, args, message) => {
  writeFileSync(join(folder, 'broken.yaml'), 'apiVersion: v1\n');
  expect(await graph(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHITECTURES } from '../../../src/launcher-image/arch';
import { filesLayer, withRoot } from '../../../src/launcher-image/layers';
import { sha256, writeArchive, writeLayer } from '../../../src/launcher-image/oci';
import { pickBase } from '../../../src/launcher-image/rootfs';

const temporary: string[] = [];
function folder(prefix: string): string {
  const path = mkdtempSync(join(tmpdir(), prefix));
  temporary.push(path);
  return path;
}
const umask = process.umask();
const env = { HOME: process.env.HOME, TZ: process.env.TZ, LC_ALL: process.env.LC_ALL, GZIP: process.env.GZIP };
afterEach(() => {
  process.umask(umask);
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
afterAll(() => temporary.forEach((path) => rmSync(path, { recursive: true, force: true })));

/** Everything of a machine that must not influence an image. */
interface Machine {
  readonly prefix: string;
  readonly umask: number;
  readonly time: number;
  readonly reversed: boolean;
  readonly env: Readonly<Record<string, string>>;
}
const machines: readonly Machine[] = [
  { prefix: 'one-', umask: 0o022, time: 1e9, reversed: false, env: { HOME: '/root', TZ: 'UTC', LC_ALL: 'C' } },
  {
    ...{ prefix: 'another-folder-', umask: 0o077, time: 1.7e9 + 0.5, reversed: true },
    env: { HOME: '/nowhere', TZ: 'Asia/Tokyo', LC_ALL: 'en_US.UTF-8', GZIP: '-9' },
  },
  { prefix: 'open-', umask: 0o000, time: 0, reversed: false, env: { HOME: '/tmp', TZ: 'America/Lima', LC_ALL: 'C' } },
];

/** Creates the same files in another order, at another time. */
function sources(machine: Machine): string {
  const root = folder(machine.prefix);
  const names = ['usr/bin/Tool', 'usr/bin/another', 'usr/bin/tool', 'usr/share/data/é', 'usr/share/data/z'];
  for (const name of machine.reversed ? [...names].reverse() : names) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), `content of ${name}`);
    chmodSync(join(root, name), name.includes('bin') ? 0o755 : 0o644);
    utimesSync(join(root, name), machine.time, machine.time);
  }
  symlinkSync('tool', join(root, 'usr/bin/link'));
  return root;
}

const recipe = {
  architecture: ARCHITECTURES.amd64,
  packages: [],
  programs: ['/usr/bin/Tool', '/usr/bin/another', '/usr/bin/link'],
  data: ['/usr/share/data'],
  dropped: [],
  links: { '/bin': 'usr/bin' },
  user: { name: 'user', id: 1001, home: '/', shell: '/sbin/nologin' },
};

/** Builds layers of all kinds on a machine, and their image. */
async function build(machine: Machine): Promise<Record<string, string>> {
  process.umask(machine.umask);
  Object.assign(process.env, machine.env);
  const from = sources(machine);
  const [picked, files, out] = [folder('picked-'), folder('files-'), folder('out-')];
  const layers = [
    await withRoot(async (root) => {
      await pickBase(recipe, { packages: [], owners: new Map() }, from, root);
      mkdirSync(join(root, 'opt'));
      writeFileSync(join(root, 'opt/capable'), 'x');
      if (process.getuid?.() === 0) execFileSync('setcap', ['cap_net_bind_service=p', join(root, 'opt/capable')]);
      return writeLayer(root, picked);
    }),
    await filesLayer(files, { '/usr/lib/program.cjs': join(from, 'usr/bin/tool') }),
  ];
  const archive = join(out, 'image.tar');
  const digest = await writeArchive(archive, layers, {
    architecture: ARCHITECTURES.amd64,
    env: ['PATH=/usr/bin'],
    user: '1001:1001',
    labels: {},
  });
  expect(process.umask()).toBe(machine.umask);
  return { picked: layers[0]!.diffId, files: layers[1]!.diffId, digest, archive: await sha256(archive) };
}

test('an image does not depend on folder, time, umask, order of files, home or language of the machine', async () => {
  const built: Record<string, string>[] = [];
  for (const machine of machines) built.push(await build(machine));
  expect(built[1]).toEqual(built[0]);
  expect(built[2]).toEqual(built[0]);
});

test('files and folders of a layer belong to root, which alone can write them', async () => {
  const out = folder('out-');
  process.umask(0);
  const { file } = await withRoot(async (root) => {
    await pickBase(recipe, { packages: [], owners: new Map() }, sources(machines[1]!), root);
    return writeLayer(root, out);
  });
  const entries = execFileSync('tar', ['-tvzf', file], { encoding: 'utf8' }).trim().split('\n');
  expect(entries.filter((entry) => !/^\S+ 0\/0 /.test(entry))).toEqual([]);
  expect(entries.filter((entry) => entry[8] === 'w' && entry[0] !== 'l')).toEqual([
    expect.stringMatching(/ \.\/tmp\/$/),
  ]);
  // the compressed file has no time
  expect(readFileSync(file).subarray(4, 8)).toEqual(Buffer.alloc(4));
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageStore } from '../../../../src/local/images';
import { writeImage } from './oci-archive';
import type { Entry } from './oci-archive';

/** Our layers, mounted on one another, must show the same files as the image that umoci unpacks. */

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'virt8s-whiteouts-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Type, mode, owner, name, number of links, target and content of everything. */
const LIST = `find . -mindepth 1 -printf '%y %m %U:%G %P %l\\n' | sort; find . -type f | sort | xargs -r grep -H '' || true`;

async function ours(): Promise<string> {
  const store = new ImageStore({ dir: join(dir, 'images'), cacheDir: dir });
  const image = await store.ensure('localhost/x:1', 'IfNotPresent', store.lease());
  mkdirSync(join(dir, 'empty'));
  mkdirSync(join(dir, 'merged'));
  const lower = [...[...image.layers].reverse().map((layer) => join(store.layersDir, layer)), join(dir, 'empty')];
  const script = `mount -t overlay overlay -o lowerdir=${lower.join(':')} ${dir}/merged && cd ${dir}/merged && ${LIST}`;
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8' });
  // such as entries that are listed and cannot be found
  expect(stderr).toBe('');
  return stdout;
}

function umoci(): string {
  const index = JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8')) as Record<string, { archive: string }>;
  const archive = join(dir, index['localhost/x:1']!.archive);
  execFileSync('skopeo', ['copy', '--quiet', `oci-archive:${archive}`, `oci:${dir}/oci:x`]);
  execFileSync('umoci', ['unpack', '--image', `${dir}/oci:x`, join(dir, 'bundle')], { stdio: 'pipe' });
  return execFileSync('sh', ['-c', `cd ${dir}/bundle/rootfs && ${LIST}`], { encoding: 'utf8' });
}

const d = (path: string, mode?: number): Entry => ({ path: `${path}/`, type: 'dir', ...(mode ? { mode } : {}) });
const f = (path: string, content = path): Entry => ({ path, content });

test.each<[string, Entry[][]]>([
  ['a file that is removed and made again, the whiteout first', [[f('x', 'old')], [f('.wh.x', ''), f('x', 'new')]]],
  ['a file that is removed and made again, the whiteout last', [[f('x', 'old')], [f('x', 'new'), f('.wh.x', '')]]],
  [
    'a directory that is removed and made again',
    [
      [d('x'), f('x/old'), d('x/sub'), f('x/sub/old')],
      [f('.wh.x', ''), d('x', 0o711), f('x/new')],
    ],
  ],
  [
    'a directory that becomes a file',
    [
      [d('x'), f('x/old')],
      [f('.wh.x', ''), f('x', 'file')],
    ],
  ],
  ['a file that becomes a directory', [[f('x')], [d('x'), f('x/new')]]],
  [
    'a directory that becomes a link',
    [
      [d('x'), f('x/old'), f('y')],
      [f('.wh.x', ''), { path: 'x', type: 'symlink', target: 'y' }],
    ],
  ],
  [
    'an opaque directory with a whiteout and new files beside it',
    [
      [d('x'), f('x/a'), f('x/b'), f('x/c')],
      [d('x'), f('x/c', 'new'), f('x/.wh..wh..opq', ''), f('x/.wh.a', ''), f('x/d')],
    ],
  ],
  [
    'an opaque directory in another',
    [
      [d('x'), f('x/a'), d('x/y'), f('x/y/b')],
      [d('x'), d('x/y'), f('x/y/.wh..wh..opq', ''), f('x/y/n')],
    ],
  ],
  [
    'a hard link to a file that is removed',
    [[f('a', '1')], [f('b', '2'), { path: 'c', type: 'link', target: 'b' }, f('.wh.a', ''), f('.wh.b', '')]],
  ],
  ['a whiteout of a file that never existed', [[f('a')], [f('.wh.none', '')]]],
  ['a name that comes twice', [[f('x', 'first'), f('x', 'second')]]],
  ['a link that is replaced by a file', [[f('y'), { path: 'x', type: 'symlink', target: 'y' }], [f('x', 'file')]]],
  ['a device and a FIFO', [[{ path: 'fifo', type: 'fifo', mode: 0o600 }, d('x')], [f('.wh.fifo', '')]]],
  [
    'names with spaces, newlines and long ones',
    [
      [f('a b'), f(`${'n'.repeat(90)}`), f('x*')],
      [f('.wh.a b', ''), f(`.wh.${'n'.repeat(90)}`, '')],
    ],
  ],
])('%s', async (_, layers) => {
  writeImage(dir, {
    ref: 'localhost/x:1',
    layers: layers.map((entries) => entries.map((e) => ({ ...e, mode: e.mode ?? (e.type === 'dir' ? 0o755 : 0o644) }))),
  });
  expect(await ours()).toBe(umoci());
});

test('a directory of whiteouts that another tool has left is dropped', async () => {
  writeImage(dir, {
    ref: 'localhost/x:1',
    layers: [[d('.wh..wh.plnk'), f('.wh..wh.plnk/1.2'), f('.wh..wh.aufs', ''), f('a')]],
  });
  expect(await ours()).toMatch(/^f 644 0:0 a \n/);
});

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageStore } from '../../../../src/local/images';
import { busybox, writeImage } from './oci-archive';
import type { Entry } from './oci-archive';

describe('images of OCI archives', () => {
  let dir: string;
  let cacheDir: string;
  let store: ImageStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'virt8s-images-'));
    cacheDir = join(dir, 'cache');
    store = new ImageStore({ dir: join(dir, 'images'), cacheDir });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const unpack = async (...layers: Entry[][]): Promise<string[]> => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers });
    const image = await store.ensure('localhost/x:1', 'IfNotPresent');
    return image.layers.map((layer) => join(store.layersDir, layer));
  };

  test('owners, modes, file capabilities and user attributes survive', async () => {
    const capability = Buffer.from('AQAAAgAEAAAAAAAAAAAAAAAAAAA=', 'base64').toString('latin1');
    const [layer] = await unpack([
      { path: 'd/', type: 'dir', mode: 0o2750, uid: 107, gid: 108 },
      { path: 'd/suid', content: 'x', mode: 0o4755, uid: 1, gid: 2, xattrs: { 'user.note': 'kept' } },
      { path: 'd/capable', content: 'x', mode: 0o755, xattrs: { 'security.capability': capability } },
    ]);
    const at = (name: string) => statSync(join(layer!, name));
    expect([at('d').mode & 0o7777, at('d').uid, at('d').gid]).toEqual([0o2750, 107, 108]);
    expect([at('d/suid').mode & 0o7777, at('d/suid').uid]).toEqual([0o4755, 1]);
    expect(execFileSync('getcap', [join(layer!, 'd/capable')], { encoding: 'utf8' })).toContain('cap_net_bind_service');
  });

  test('whiteouts hide files of lower layers in a mounted overlay', async () => {
    const layers = await unpack(
      [
        { path: 'gone', content: '1' },
        { path: 'dir/', type: 'dir', mode: 0o711, uid: 5 },
        { path: 'dir/old', content: '1' },
        { path: 'kept', content: '1' },
      ],
      [
        { path: '.wh.gone' },
        { path: 'dir/', type: 'dir', mode: 0o711, uid: 5 },
        { path: 'dir/.wh..wh..opq' },
        { path: 'dir/new', content: '2' },
      ],
    );
    const mounted = join(dir, 'merged');
    const seen = execFileSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        `mkdir ${mounted}; mount -t overlay overlay -o lowerdir=${[...layers].reverse().join(':')} ${mounted}; ` +
          `cd ${mounted}; ls; ls dir; stat -c '%a %u' dir`,
      ],
      { encoding: 'utf8' },
    );
    expect(seen.trim().split('\n')).toEqual(['dir', 'kept', 'new', '711 5']);
  });

  test.each<[string, Entry[]]>([
    [
      'a link that leads out, then a file through it',
      [
        { path: 'out', type: 'symlink', target: '/tmp' },
        { path: 'out/virt8s-escaped', content: 'bad' },
      ],
    ],
    [
      'a relative link that leads out',
      [
        { path: 'out', type: 'symlink', target: '../../../../../../../tmp' },
        { path: 'out/virt8s-escaped', content: 'bad' },
      ],
    ],
    ['a name with ..', [{ path: '../../../../../../../../tmp/virt8s-escaped', content: 'bad' }]],
    ['an absolute name', [{ path: '/tmp/virt8s-escaped', content: 'bad' }]],
    [
      'a hard link to a file of the host, then written',
      [
        { path: 'stolen', type: 'link', target: '/etc/hostname' },
        { path: 'stolen', content: 'bad' },
      ],
    ],
    ['a whiteout of the parent', [{ path: '.wh...', content: '' }]],
  ])('nothing is written outside of the layer: %s', async (_, entries) => {
    const before = readFileSync('/etc/hostname', 'utf8');
    await unpack(entries).catch(() => undefined);
    expect(existsSync('/tmp/virt8s-escaped')).toBe(false);
    expect(readFileSync('/etc/hostname', 'utf8')).toBe(before);
    expect(existsSync(dir)).toBe(true);
  });

  test('equal layers of two images are one directory, and equal requests one unpacking', async () => {
    writeImage(cacheDir, busybox());
    writeImage(cacheDir, { ...busybox('localhost/other:1'), config: { User: '107' } });
    const [first, second, again] = await Promise.all([
      store.ensure('localhost/virt8s-test/busybox:1', 'IfNotPresent'),
      store.ensure('localhost/other:1', 'Always'),
      store.ensure('localhost/other:1', 'IfNotPresent'),
    ]);
    expect(first.layers).toEqual(second.layers);
    expect(again).toEqual(second);
    expect(second.config.User).toBe('107');
    expect(readdirSync(store.layersDir)).toHaveLength(1);
  });

  test('a rebuilt archive is used as soon as index.json names its digest, and the old one is collected', async () => {
    const [old] = await unpack([{ path: 'a', content: '1' }]);
    const image = await store.find('localhost/x:1');
    const [fresh] = await unpack([{ path: 'a', content: '2' }]);
    expect(readFileSync(join(fresh!, 'a'), 'utf8')).toBe('2');
    await store.collect(new Set([image!.id]));
    expect(existsSync(old!)).toBe(true);
    await store.collect(new Set());
    expect(existsSync(old!)).toBe(false);
    expect(existsSync(fresh!)).toBe(true);
  });

  test('a cut-off archive is refused with its name and leaves no layer', async () => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers: [[{ path: 'a', content: 'x'.repeat(5000) }]] });
    const { archive } = (
      JSON.parse(readFileSync(join(cacheDir, 'index.json'), 'utf8')) as Record<string, { archive: string }>
    )['localhost/x:1']!;
    truncateSync(join(cacheDir, archive), 4200);
    await expect(store.ensure('localhost/x:1', 'IfNotPresent')).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringMatching(/failed to unpack image "localhost\/x:1" from .*cut off.*again/),
    });
  });

  test('a missing image says where it was looked for and what the registry said', async () => {
    writeFileSync(join(dir, 'x'), '');
    await expect(store.ensure('localhost:1/none:1', 'IfNotPresent')).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringMatching(/not in .*index\.json.*registry did not give it: .*refused/),
    });
    await expect(store.ensure('localhost:1/none:1', 'Never')).rejects.toMatchObject({ reason: 'ErrImageNeverPull' });
    await expect(store.ensure('No Image', 'Never')).rejects.toMatchObject({ reason: 'InvalidImageName' });
  });
});

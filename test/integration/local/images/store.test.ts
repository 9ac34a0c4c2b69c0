import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
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
import { References } from '../../../../src/local/images/references';
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

  const ensure = (ref: string) => store.ensure(ref, 'IfNotPresent', store.lease());
  const collect = (...inUse: string[]) => store.collect(async () => new Set(inUse));
  const unpack = async (...layers: Entry[][]): Promise<string[]> => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers });
    const image = await ensure('localhost/x:1');
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

  test('a layer with a device node is rejected and leaves nothing', async () => {
    const disk: Entry[] = [
      { path: 'disk/', type: 'dir' },
      { path: 'disk/disk.img', type: 'char' },
    ];
    await expect(unpack(disk)).rejects.toThrow('"disk/disk.img" is a device node');
    expect(readdirSync(store.layersDir)).toEqual([]);
  });

  test('a layer that would fill the disk is rejected, and its space is free again', async () => {
    const small = join(dir, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', small]);
    try {
      store = new ImageStore({ dir: join(small, 'images'), cacheDir });
      await expect(unpack([{ path: 'bomb', content: Buffer.alloc(140 << 20) }])).rejects.toThrow(
        /no space left on device: .* has only \d+ MiB/,
      );
      expect(readdirSync(store.layersDir)).toEqual([]);
      await unpack([{ path: 'fits', content: Buffer.alloc(100 << 20) }]);
    } finally {
      execFileSync('umount', [small]);
    }
  });

  test('equal layers of two images are one directory, and equal requests one unpacking', async () => {
    writeImage(cacheDir, busybox());
    writeImage(cacheDir, { ...busybox('localhost/other:1'), config: { User: '107' } });
    const [first, second, again] = await Promise.all([
      store.ensure('localhost/virt8s-test/busybox:1', 'IfNotPresent', store.lease()),
      store.ensure('localhost/other:1', 'Always', store.lease()),
      store.ensure('localhost/other:1', 'IfNotPresent', store.lease()),
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
    store = new ImageStore({ dir: join(dir, 'images'), cacheDir });
    await collect(image!.id);
    expect(existsSync(old!)).toBe(true);
    await collect();
    expect(existsSync(old!)).toBe(false);
    expect(existsSync(fresh!)).toBe(true);
    expect(readdirSync(join(dir, 'images/trash'))).toEqual([]);
  });

  test('a pull is complete though images are collected all the time', async () => {
    const layers = Array.from({ length: 4 }, (_, index): Entry[] => [{ path: `layer${index}`, content: 'x' }]);
    writeImage(cacheDir, { ref: 'localhost/x:1', layers });
    let done = false;
    const pull = ensure('localhost/x:1').finally(() => (done = true));
    // no name holds it: it is the index of another image by now
    const index = readFileSync(join(cacheDir, 'index.json'), 'utf8');
    let collections = 0;
    for (; !done; collections++) {
      await collect();
      await new Promise(setImmediate);
    }
    expect(collections).toBeGreaterThan(4);
    const image = await pull;
    expect(image.layers.map((layer) => readdirSync(join(store.layersDir, layer)))).toEqual(
      layers.map((l) => [l[0]!.path]),
    );
    writeFileSync(join(cacheDir, 'index.json'), index);
  });

  test('an image that is about to be used stays until its lease ends, and through a collection that runs then', async () => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers: [[{ path: 'a', content: '1' }]] });
    const lease = store.lease();
    const image = await store.ensure('localhost/x:1', 'IfNotPresent', lease);
    rmSync(join(cacheDir, 'index.json'));
    const layer = join(store.layersDir, image.layers[0]!);
    await collect();
    expect(existsSync(layer)).toBe(true);
    // who uses it is written down after the collection has looked
    await store.collect(async () => {
      lease.release();
      return new Set();
    });
    expect(existsSync(layer)).toBe(true);
    await collect();
    expect(existsSync(layer)).toBe(false);
  });

  test('leftovers of a killed pull are collected', async () => {
    await unpack([{ path: 'a' }]);
    mkdirSync(join(dir, 'images/pulls'));
    mkdirSync(join(dir, 'images/trash/half'), { recursive: true });
    mkdirSync(join(store.layersDir, 'f'.repeat(32) + '.partial'));
    writeFileSync(join(dir, 'images/pulls/x.tar'), '');
    await collect();
    expect(['pulls', 'trash'].flatMap((name) => readdirSync(join(dir, 'images', name)))).toEqual([]);
    expect(readdirSync(store.layersDir)).toHaveLength(1);
  });

  test.each([
    ['a path', 'sha256:../../../../../../../../etc'],
    ['a path without an algorithm', '../../../../../../../../etc'],
    ['another algorithm', `sha512:${'0'.repeat(128)}`],
    ['too short a digest', `sha256:${'0'.repeat(63)}`],
    ['too long a digest', `sha256:${'0'.repeat(65)}`],
  ])('a layer whose name is %s is rejected, and no directory of the host becomes a layer', async (_, diffId) => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers: [[{ path: 'a' }]], diffIds: [diffId] });
    await expect(ensure('localhost/x:1')).rejects.toThrow(`"${diffId}" is not a digest`.slice(0, 60));
  });

  test('names that are written at the same time are all kept', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `docker.io/library/x${index}:1`);
    const writers = [new References(dir), new References(dir), new References(dir)];
    await Promise.all(names.map((name, index) => writers[index % 3]!.set(name, `sha256:${index}`)));
    expect(new References(dir).all()).toEqual(
      Object.fromEntries(names.map((name, index) => [name, `sha256:${index}`])),
    );
    expect(await writers[0]!.get(names[7]!)).toBe('sha256:7');
  });

  test('a cut-off archive is rejected with its name and leaves no layer', async () => {
    writeImage(cacheDir, { ref: 'localhost/x:1', layers: [[{ path: 'a', content: 'x'.repeat(5000) }]] });
    const { archive } = (
      JSON.parse(readFileSync(join(cacheDir, 'index.json'), 'utf8')) as Record<string, { archive: string }>
    )['localhost/x:1']!;
    truncateSync(join(cacheDir, archive), 4200);
    await expect(ensure('localhost/x:1')).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringMatching(/failed to unpack image "localhost\/x:1" from .*cut off.*again/),
    });
  });

  test('a missing image is reported with the searched places and the response of the registry', async () => {
    writeFileSync(join(dir, 'x'), '');
    await expect(store.ensure('localhost:1/none:1', 'IfNotPresent', store.lease())).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringMatching(/not in .*index\.json.*registry returned an error: .*refused/),
    });
    await expect(store.ensure('localhost:1/none:1', 'Never', store.lease())).rejects.toMatchObject({
      reason: 'ErrImageNeverPull',
    });
    await expect(store.ensure('No Image', 'Never', store.lease())).rejects.toMatchObject({
      reason: 'InvalidImageName',
    });
  });
});

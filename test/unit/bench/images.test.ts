import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sizesOf } from '../../../bench/images';
import { sha256, writeArchive, writeLayer, type Layer } from '../../../src/launcher-image/oci';

test('sizes of images count a layer in each image, and shared layers once together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-sizes-'));
  async function layer(name: string): Promise<Layer & { compressed: number }> {
    for (const part of ['root', 'layer']) mkdirSync(join(folder, `${name}-${part}`));
    writeFileSync(join(folder, `${name}-root`, name), name.repeat(1_000));
    const written = await writeLayer(join(folder, `${name}-root`), join(folder, `${name}-layer`));
    return { ...written, compressed: statSync(written.file).size };
  }
  const config = { architecture: { name: 'amd64' as const }, env: [], user: '0:0', labels: {} };
  try {
    const [base, first, second] = [await layer('base'), await layer('first'), await layer('second')];
    const archives = { first: join(folder, 'first.tar'), second: join(folder, 'second.tar') };
    await writeArchive(archives.first, [base, first], config);
    await writeArchive(archives.second, [base, second], config);
    expect(await sha256(archives.first)).not.toBe(await sha256(archives.second));
    const { images, together } = sizesOf(archives);
    // GNU tar pads an archive to 10 KiB
    const of = (own: number) => ({ compressed: base.compressed + own, unpacked: 20_480, shared: base.compressed });
    expect(images).toEqual({ first: of(first.compressed), second: of(second.compressed) });
    expect(together).toBe(base.compressed + first.compressed + second.compressed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

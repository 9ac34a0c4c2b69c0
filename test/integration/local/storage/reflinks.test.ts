import { randomFillSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VolumeFiles } from '../../../../src/local/storage/volume-files';
import { ReflinkStorage } from '../../../support/reflink-storage';

const MIB = 1 << 20;
const IMAGE = 32 * MIB;
const MACHINES = 20;

test('the image of 20 machines is stored once, and what each of them writes, in addition', async () => {
  const storage = ReflinkStorage.create(1024 * MIB);
  const volumes = new VolumeFiles(join(storage.path, 'volumes'));
  try {
    await volumes.open();
    const bytes = IMAGE;
    await volumes.create('golden', { bytes, isBlock: true });
    const content = randomFillSync(Buffer.alloc(IMAGE));
    writeFileSync(volumes.path('golden', true), content);
    const before = storage.used();
    for (let i = 0; i < MACHINES; i++) await volumes.create(`vm-${i}`, { bytes, isBlock: true, copyOf: 'golden' });
    expect(storage.used() - before).toBeLessThan(IMAGE / 4);

    writeFileSync(volumes.path('vm-0', true), content.subarray(0, 8 * MIB).fill('written'), { flag: 'r+' });
    expect(storage.used() - before).toBeGreaterThan(7 * MIB);
    expect(readFileSync(volumes.path('vm-1', true)).equals(readFileSync(volumes.path('golden', true)))).toBe(true);
    expect(readFileSync(volumes.path('vm-0', true)).toString('latin1', 0, 7)).toBe('written');
  } finally {
    storage.remove();
  }
});

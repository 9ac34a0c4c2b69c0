import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorText } from '../src/api/error-text';
import { benchAdmission } from './admission';
import { benchApiServer } from './api-server';
import { benchBoot } from './boot';
import { benchCluster } from './cluster';
import type { Figure } from './figure';
import { benchFleet } from './fleet';
import { benchImages } from './images';
import { benchImport, benchReflink } from './import';
import { benchPackage } from './package';
import { benchPodStart } from './pod-start';
import { benchRelist } from './relist';
import { benchRender } from './render';
import { benchScale } from './scale';
import { benchFinished, benchHotplug, benchSnapshot } from './storage';
import { benchSynth } from './synth';
import { benchUpload } from './upload';

/** `npm run bench [-- --json FILE] [NAME…]`: measures against the targets; ratios are taken within one run. */
const benches: Record<string, () => Promise<Figure[]> | Figure[]> = {
  synth: () => benchSynth(10_000, 3),
  package: () => benchPackage(5),
  images: () => benchImages(),
  render: () => benchRender(5_000, 11),
  admission: () => benchAdmission(10_000),
  'api-server': () => benchApiServer({ objects: 2_000, writers: 10, watchers: 100, writes: 200 }),
  boot: () => benchBoot(5),
  cluster: () => benchCluster(10),
  scale: async () => [...(await benchScale(500)), ...(await benchFleet({ vms: 1_000, nodes: 100 }))],
  relist: () => benchRelist(10_000),
  pod: () => benchPodStart(10),
  import: () => benchImport(2048, 3),
  upload: () => benchUpload(1024, 3),
  reflink: () => benchReflink(10_240, 5),
  hotplug: () => benchHotplug(10),
  snapshot: () => benchSnapshot(10),
  finished: () => benchFinished(100),
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
  const figures: Figure[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
    const bench = benches[name];
    if (!bench) throw new Error(`no bench is named "${name}"; there are: ${Object.keys(benches).join(', ')}`);
    figures.push(...(await bench()));
  }
  console.table(
    Object.fromEntries(
      figures.map(({ name, value, unit, target, met }) => [name, { value, target, unit, met: met ? 'yes' : 'NO' }]),
    ),
  );
  for (const { name, method } of figures) console.log(`${name}: ${method}`);
  if (values.json) {
    const rows = figures.map(({ name, value, unit, target, met }) => ({ name, value, unit, target, met }));
    writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  }
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});

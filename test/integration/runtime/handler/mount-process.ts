import { unmountContainerDisks, mountContainerDisk } from '../../../../src/runtime/handler/container-disk/mount';
import type { ContainerDisk } from '../../../../src/runtime/handler/container-disk/plan';
import { Staging } from '../../../../src/runtime/handler/container-disk/staging';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';

/** The steps of a handler for one disk, in a process that tests can kill between two steps. */
const [verb = '', kubeletDir = '', stagingDir = '', podUid = '', disk = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const volumes = new PodVolumes(kubeletDir);
  if (verb === 'unmount') return unmountContainerDisks(podUid, volumes);
  const staging = new Staging(stagingDir);
  await staging.clear();
  await mountContainerDisk(JSON.parse(disk) as ContainerDisk, podUid, { volumes, procDir: '/proc', staging });
  await staging.remove();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

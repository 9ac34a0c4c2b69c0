/** @needs guest */
import { execFileSync } from 'node:child_process';
import { eventually, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { PrivateImages } from '../../support/images';

/** Nodes whose kubelet cannot mount images: a container per image keeps its files, and virt-handler mounts them. */
describe('a container disk without image volumes', () => {
  const images = new PrivateImages();
  let engine: SuiteEngine;
  beforeAll(async () => {
    engine = await SuiteEngine.begin();
    await engine.configure({ developerConfiguration: { disabledFeatureGates: ['ImageVolume'] } });
  });
  afterAll(async () => {
    const left = await engine.end();
    images.remove();
    expect(left).toEqual([]);
  });

  test('of an image that contains only its disk boots, and its Pod ends with the guest', async () => {
    expect(filesOf(images.archiveOf('localhost/virt8s/tiny:latest'))).toEqual([expect.stringMatching(/^disk\/[^/]+$/)]);
    await engine.mustApply(tinyVm('held', { graceSeconds: 3_600 }));
    await engine.vmBecomes('held', 'Running');
    const [pod] = await engine.list('pods', '-l', 'vm.kubevirt.io/name=held');
    expect(pod.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['compute', 'volumeroot']);
    expect(pod.spec.volumes.filter((volume: { image?: object }) => volume.image)).toEqual([]);
    await engine.page('held');

    const requests = engine.audit().length;
    // the Pod would wait for an hour if a container did not end with the guest
    await engine.kubectl('delete', 'vm', 'held', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pods')).toEqual([]));
    const reads = ['get', 'list', 'watch'];
    const deletes = engine
      .audit()
      .slice(requests)
      .filter(
        ({ verb, resource, userAgent, name }) =>
          /^virt-(controller|handler)/.test(userAgent) &&
          !reads.includes(verb) &&
          /^(virtualmachine|pods)/.test(resource) &&
          name.includes('held'),
      );
    expect(deletes.length).toBeLessThanOrEqual(5); // one deletes the Pod, one reports that it takes longer
  });

  test('of an image without one is reported on the VM', async () => {
    await engine.mustApply(tinyVm('empty', { image: 'localhost/virt8s/virt-launcher:dev' }));
    await eventually(async () => {
      const { status } = await engine.get('vm', 'empty');
      const report = /container disk "root": its image has no directory \/disk; put the disk into \/disk/;
      expect(status.conditions.map((c: { message?: string }) => c.message).join('\n')).toMatch(report);
    });
    await engine.kubectl('delete', 'vm', 'empty', '--timeout=5m');
  });
});

/** Paths of everything but directories in the layers of an OCI archive. */
function filesOf(archive: string): string[] {
  const blobs = execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).match(/blobs\/sha256\/[0-9a-f]{64}/g) ?? [];
  return blobs.flatMap((blob) => {
    // manifest and configuration are not gzip, and list nothing
    const list = 'tar -xOf "$0" "$1" | gzip -dc 2>/dev/null | tar -t 2>/dev/null || true';
    const text = execFileSync('sh', ['-c', list, archive, blob], { encoding: 'utf8' });
    return text
      .split('\n')
      .map((path) => path.replace(/^\.\//, ''))
      .filter((path) => path && !path.endsWith('/'));
  });
}

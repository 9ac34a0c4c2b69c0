import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api/meta';
import { resources } from '../../../../src/runtime/kube';
import { writeImage } from '../images/oci-archive';
import { eventually, TestNode } from './harness';

describe('volumes of a Pod', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await TestNode.start();
    const object = (kind: string, name: string, rest: object) =>
      ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'default' }, ...rest }) as KubeObject;
    await node.client.create(
      resources.configMaps,
      object('ConfigMap', 'conf', { data: { 'a.txt': 'one', KEY: 'two' } }),
    );
    const secret = { data: { password: Buffer.from('s3cret').toString('base64') } };
    await node.client.create(resources.secrets, object('Secret', 'cred', secret));
  });
  /** Mounts of the tests on the host. */
  const unmounts: string[] = [];
  afterAll(async () => {
    for (const path of unmounts) execFileSync('umount', ['--lazy', path]);
    await node?.close();
  });

  test('files and variables come from ConfigMaps, Secrets, the downward API and tokens', async () => {
    const out = await node.output(
      'cd /v; cat cm/a.txt all/conf/KEY all/labels; echo; stat -Lc "%a %g" sec/password; cat sub; ls -A cm; wc -c < all/token; env | sort | grep "^T_"; echo $0 "$@"',
      {
        command: [
          'sh',
          '-c',
          'cd /v; cat cm/a.txt; echo; cat all/conf/KEY; echo; cat all/labels; echo; stat -Lc "%a %g" sec/password; cat sub; echo; ls -A cm; wc -c < all/token; env | sort | grep "^T_"; echo "$(T_EXPANDED)" $$(T_EXPANDED)',
        ],
        env: [
          { name: 'T_CM', valueFrom: { configMapKeyRef: { name: 'conf', key: 'KEY' } } },
          { name: 'T_SECRET', valueFrom: { secretKeyRef: { name: 'cred', key: 'password' } } },
          { name: 'T_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
          { name: 'T_LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          { name: 'T_EXPANDED', value: 'x-$(T_CM)-$(NONE)-$$(T_CM)' },
          { name: 'T_OPTIONAL', valueFrom: { configMapKeyRef: { name: 'none', key: 'KEY', optional: true } } },
        ],
        resources: { limits: { memory: '64Mi' } },
        volumeMounts: [
          { name: 'cm', mountPath: '/v/cm' },
          { name: 'sec', mountPath: '/v/sec' },
          { name: 'all', mountPath: '/v/all' },
          { name: 'cm', mountPath: '/v/sub', subPath: 'a.txt' },
        ],
      },
      {
        securityContext: { fsGroup: 2000 },
        serviceAccountName: 'default',
        volumes: [
          { name: 'cm', configMap: { name: 'conf', items: [{ key: 'a.txt', path: 'a.txt' }] } },
          { name: 'sec', secret: { secretName: 'cred', defaultMode: 0o400 } },
          {
            name: 'all',
            projected: {
              sources: [
                { configMap: { name: 'conf', items: [{ key: 'KEY', path: 'conf/KEY' }] } },
                { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
                { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
              ],
            },
          },
        ],
      },
    );
    const lines = out.trim().split('\n');
    expect(lines.slice(0, 5)).toEqual(['one', 'two', 'default', '440 2000', 'one']);
    expect(lines).toEqual(
      expect.arrayContaining(['..data', 'a.txt', 'T_CM=two', 'T_SECRET=s3cret', 'T_NAME=default', 'T_LIMIT=64']),
    );
    expect(lines).toContain('T_EXPANDED=x-two-$(NONE)-$(T_CM)');
    expect(lines.some((line) => line.startsWith('T_OPTIONAL'))).toBe(false);
    expect(lines.some((line) => Number(line) > 300)).toBe(true);
  });

  test('a missing ConfigMap is reported, and the Pod starts once it exists', async () => {
    const pod = await node.run(
      'cat /v/x',
      { volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      {
        volumes: [{ name: 'v', configMap: { name: 'late' } }],
      },
    );
    await eventually('FailedMount', async () =>
      (await node.events(pod)).find(
        (text) => text === 'Warning FailedMount: MountVolume.SetUp failed for volume "v" : configmap "late" not found',
      ),
    );
    await node.client.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'default' },
      data: { x: 'here' },
    } as KubeObject);
    await node.phase(pod, 'Succeeded');
    expect(await node.logs(pod)).toBe('here');
  });

  test('a variable with a missing reference prevents the creation of its container', async () => {
    const env = [{ name: 'X', valueFrom: { secretKeyRef: { name: 'cred', key: 'none' } } }];
    const pod = await node.run('true', { env });
    const { status } = await node.becomes(
      pod,
      'reports why',
      ({ status: s }) => s?.containerStatuses?.[0]?.state?.waiting?.message,
    );
    expect(status?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: "couldn't find key none in Secret default/cred",
    });
    await node.delete(pod);
  });

  test('an emptyDir in memory has its size, one on disk belongs to fsGroup and is where a kubelet creates it', async () => {
    const pod = await node.run(
      'df -k /m | tail -1; stat -c "%a %u %g" /d; id; echo mine > /d/f; stat -c "%U %g" /d/f; sleep 100',
      {
        volumeMounts: [
          { name: 'm', mountPath: '/m' },
          { name: 'd', mountPath: '/d' },
        ],
        securityContext: { runAsUser: 107 },
      },
      {
        securityContext: { fsGroup: 107 },
        volumes: [
          { name: 'm', emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } },
          { name: 'd', emptyDir: {} },
        ],
      },
    );
    await node.phase(pod, 'Running');
    const out = await eventually('output', async () => {
      const text = await node.logs(pod);
      return text.includes('qemu 107') && text;
    });
    expect(out).toMatch(/\s4096\s/);
    expect(out).toContain('2777 0 107');
    const path = join(
      node.stateDir,
      'nodes',
      node.nodeName,
      'kubelet/pods',
      pod.metadata.uid ?? '',
      'volumes/kubernetes.io~empty-dir/d/f',
    );
    expect(execFileSync('cat', [path], { encoding: 'utf8' })).toBe('mine\n');
    await node.delete(pod, 0);
  });

  test('an image volume shows the content of an image, of several layers, for reading', async () => {
    writeImage(node.cacheDir, {
      ref: 'localhost/disk:1',
      layers: [
        [
          { path: 'disk/', type: 'dir' },
          { path: 'disk/disk.img', content: 'old' },
          { path: 'disk/gone', content: '' },
        ],
        [{ path: 'disk/disk.img', content: 'new' }, { path: 'disk/.wh.gone' }],
      ],
    });
    const out = await node.output(
      'ls /i/disk; cat /i/disk/disk.img; cat /s; touch /i/x 2>&1',
      {
        volumeMounts: [
          { name: 'i', mountPath: '/i' },
          { name: 'i', mountPath: '/s', subPath: 'disk/disk.img' },
        ],
      },
      { volumes: [{ name: 'i', image: { reference: 'localhost/disk:1' } }] },
    );
    expect(out).toBe('disk.img\nnewnewtouch: /i/x: Read-only file system\n');
  });

  test('a missing image of an image volume is reported like that of a container', async () => {
    const pod = await node.run('true', {}, { volumes: [{ name: 'i', image: { reference: 'localhost:1/none:1' } }] });
    const { status } = await node.becomes(
      pod,
      'reports why',
      ({ status: s }) => s?.containerStatuses?.[0]?.state?.waiting?.message,
    );
    expect(status?.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(/ErrImagePull|ImagePullBackOff/);
    await node.delete(pod);
  });

  test('mounts of the host reach a container by HostToContainer, and those of a container others by Bidirectional', async () => {
    const volumes = [{ name: 'd', emptyDir: {} }];
    const pod = await node.create({
      restartPolicy: 'Never',
      volumes,
      containers: [
        {
          name: 'main',
          image: 'localhost/virt8s-test/busybox:1',
          command: ['sh', '-c', 'while ! [ -e /d/in/file ]; do sleep 0.1; done; cat /d/in/file'],
          volumeMounts: [{ name: 'd', mountPath: '/d', mountPropagation: 'HostToContainer' }],
        },
        {
          name: 'mounter',
          image: 'localhost/virt8s-test/busybox:1',
          command: [
            'sh',
            '-c',
            'sleep 0.3; mkdir /d/in; mount -t tmpfs t /d/in && echo propagated > /d/in/file; sleep 2; umount /d/in',
          ],
          securityContext: { privileged: true },
          volumeMounts: [{ name: 'd', mountPath: '/d', mountPropagation: 'Bidirectional' }],
        },
      ],
    });
    await node.phase(pod, 'Succeeded');
    expect(await node.logs(pod)).toBe('propagated\n');
  });

  test('a sub path cannot lead out of its volume, regardless of the links that a container creates', async () => {
    const host = join(node.stateDir, 'shared');
    mkdirSync(host, { recursive: true });
    writeFileSync(join(node.stateDir, 'outside'), 'stolen');
    const volumes = [{ name: 'h', hostPath: { path: host } }];
    await node.output(
      'ln -s ../outside /h/rel; ln -s /etc /h/abs; mkdir -p /h/ok/deep',
      { volumeMounts: [{ name: 'h', mountPath: '/h' }] },
      { volumes },
    );
    const out = await node.output(
      'cat /rel; ls /abs; ls -d /deep',
      {
        volumeMounts: [
          { name: 'h', mountPath: '/rel', subPath: 'rel' },
          { name: 'h', mountPath: '/abs', subPath: 'abs' },
          { name: 'h', mountPath: '/deep', subPath: 'ok/deep' },
        ],
      },
      { volumes },
    );
    expect(out).not.toContain('stolen');
    expect(out).not.toContain('hostname');
    expect(out).toContain('/deep');
  });

  test('a Pod that writes more than the size limit of a volume is evicted', async () => {
    const pod = await node.run(
      'head -c 2000000 /dev/zero > /data/file; while :; do sleep 0.2; done',
      { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      { restartPolicy: 'Always', volumes: [{ name: 'data', emptyDir: { sizeLimit: '1Mi' } }] },
    );
    const { status } = await node.phase(pod, 'Failed');
    const message = 'Usage of EmptyDir volume "data" exceeds the limit "1Mi". ';
    expect(status).toMatchObject({ reason: 'Evicted', message });
    expect(await node.events(pod)).toContain(`Warning Evicted: ${message}`);
  });

  test('sub paths from variables, types of host paths, read-only trees and updates work in one running Pod', async () => {
    const host = join(node.stateDir, 'typed');
    const config = (data: object) =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'live', namespace: 'default' }, data }) as KubeObject;
    await node.client.create(resources.configMaps, config({ x: 'old' }));
    // a mount below the volume, which is read-only in a tree that is read-only recursively
    mkdirSync(join(host, 'below'), { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', 'below', join(host, 'below')]);
    unmounts.push(join(host, 'below'));
    const script = [
      'echo $POD > /expr/name; cat /all/$POD/name',
      'touch /all/below/f && echo inner; [ -d /made ] && echo made',
      'touch /ro/below/f 2>&1; touch /ro/f 2>&1; [ -f /file ] && echo file',
      'while ! grep -q new /live/x; do sleep 0.1; done; cat /live/x; sleep 100',
    ];
    const pod = await node.run(
      script.join('; '),
      {
        env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        volumeMounts: [
          { name: 'host', mountPath: '/all' },
          { name: 'host', mountPath: '/expr', subPathExpr: '$(POD)' },
          { name: 'host', mountPath: '/ro', readOnly: true, recursiveReadOnly: 'Enabled' },
          { name: 'made', mountPath: '/made' },
          { name: 'file', mountPath: '/file' },
          { name: 'live', mountPath: '/live' },
        ],
      },
      {
        volumes: [
          { name: 'host', hostPath: { path: host, type: 'Directory' } },
          { name: 'made', hostPath: { path: `${host}/made`, type: 'DirectoryOrCreate' } },
          { name: 'file', hostPath: { path: `${host}/file`, type: 'FileOrCreate' } },
          { name: 'live', configMap: { name: 'live' } },
        ],
      },
    );
    const { status } = await node.phase(pod, 'Running');
    expect(status?.containerStatuses?.[0]?.volumeMounts).toContainEqual({
      name: 'host',
      mountPath: '/ro',
      readOnly: true,
      recursiveReadOnly: 'Enabled',
    });
    await node.client.patch(
      resources.configMaps,
      { namespace: 'default', name: 'live' },
      { data: { x: 'new' } },
      'merge',
    );
    const out = await eventually('the update', async () => {
      const text = await node.logs(pod);
      return text.endsWith('new') && text;
    });
    expect(out.split('\n')).toEqual([
      pod.metadata.name,
      'inner',
      'made',
      'touch: /ro/below/f: Read-only file system',
      'touch: /ro/f: Read-only file system',
      'file',
      'new',
    ]);
    await node.delete(pod, 0);
  });

  test.each([
    [{ hostPath: { path: '/etc/hostname', type: 'Directory' } }, 'hostPath type check failed: /etc/hostname is not a directory'],
    [{ csi: { driver: 'disk.example.com' } }, 'driver name disk.example.com not found in the list of registered CSI drivers'],
  ])('a volume %j that cannot be mounted is reported with its cause', async (source, message) => {
    const pod = await node.run('true', {}, { volumes: [{ name: 'v', ...source }] });
    await eventually('the event', async () =>
      (await node.events(pod)).includes(`Warning FailedMount: MountVolume.SetUp failed for volume "v" : ${message}`),
    );
    await node.delete(pod, 0);
  }); // prettier-ignore
});

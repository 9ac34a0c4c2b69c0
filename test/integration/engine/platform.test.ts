/** @needs guest @tier all */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformImages } from '../../../src';
import { eventually, TestEngine, tinyVm } from '../../support/engine';
import { typeOnConsole } from '../../support/guest-console';
import { GUEST_SHELL, inGuest } from '../../support/guest-shell';
import { platformManifests } from '../../support/platform';
import { Prometheus, type Targets } from '../../support/prometheus';

const IMAGES = PlatformImages.of({ registry: 'localhost/virt8s', tag: 'test' });
const COMPONENTS = [
  ...['virt-api', 'virt-controller', 'cdi-uploadproxy'].map((name) => `deployment/${name}`),
  'daemonset/virt-handler',
];
const DISK_BYTES = 4 << 20;
const KUBELET_DIR = '/var/lib/kubelet';

/** Whether a process has a mount at the path: that of another engine, which uses the same directory. */
const isMounted = (path: string): boolean =>
  spawnSync('sh', ['-c', 'cat /proc/[0-9]*/mountinfo 2>/dev/null | grep -qF " $0 "', path]).status === 0;

/** Service, ServiceMonitor or PrometheusRule. */
interface Monitored {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly [{ readonly port: string }];
    readonly groups: [];
  };
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly targetRef: { readonly name: string };
}

/** `virt8s up --bare`, and the platform as Pods from its manifests. */
describe('the platform as Pods', () => {
  const kubeletDirExisted = existsSync(KUBELET_DIR);
  let engine: TestEngine;
  let images: Server;
  let folder: string;
  const disk = randomBytes(DISK_BYTES);
  const digest = createHash('sha256').update(disk).digest('hex');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-platform-'));
    writeFileSync(join(folder, 'disk.img'), disk);
    images = createServer((_, response) => response.end(disk)).listen(0);
    engine = await TestEngine.start({ bare: true });
  });
  afterAll(async () => {
    images.close();
    rmSync(folder, { recursive: true });
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
    if (!kubeletDirExisted) expect(existsSync(KUBELET_DIR) && !isMounted(KUBELET_DIR)).toBe(false);
  });

  test('a bare engine has a node, but nothing of the platform', async () => {
    expect(await engine.list('nodes')).toHaveLength(1);
    // the engine's own storage serves VolumeSnapshots, as a CSI driver's installation does
    const groups = (await engine.list('customresourcedefinitions')).map(({ spec }) => spec.group);
    expect([...new Set(groups)]).toEqual(['snapshot.storage.k8s.io']);
    for (const name of ['virt-api', 'virt-controller', 'virt-handler'] as const) {
      expect(() => engine.componentPid(name)).toThrow('does not run');
    }
    const names = (await engine.list('clusterroles')).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes('kubevirt'))).toEqual([]);
  });

  test('its manifests become Ready from the images of this package', async () => {
    const built = await engine.virt8s('images', 'build', '--tag', 'test');
    expect([built.code, built.stderr]).toEqual([
      0,
      expect.stringContaining("registry: 'localhost/virt8s', tag: 'test'"),
    ]);
    const { definitions, platform } = platformManifests(IMAGES);
    expect(await engine.apply(definitions, '--server-side')).toMatchObject({ code: 0 });
    await engine.kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=5m');
    await engine.mustApply(platform);
    await engine.kubectl('wait', 'kubevirt/kubevirt', '-n', 'kubevirt', '--for=condition=Available', '--timeout=5m');
    for (const component of COMPONENTS) {
      await engine.kubectl('rollout', 'status', component, '-n', 'kubevirt', '--timeout=5m');
    }
    await engine.kubectl('wait', 'apiservice', '--all', '--for=condition=Available', '--timeout=5m');
  });

  test('a VM boots, and its console answers', async () => {
    const vm = tinyVm('guest', { memory: '128Mi', userData: GUEST_SHELL }) as { spec: { template: { spec: object } } };
    Object.assign(vm.spec.template.spec, { evictionStrategy: 'LiveMigrate' });
    await engine.mustApply(vm);
    await engine.vmBecomes('guest', 'Running');
    expect((await engine.guest('guest')).hostname).toBe('guest');
    await answersOnConsole();
  });

  const dataVolume = (name: string, source: object, volumeMode: string): object => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
    },
    spec: { source, storage: { volumeMode, resources: { requests: { storage: '16Mi' } } } },
  });
  const logsOfUpload = async (): Promise<string> => {
    const proxy = await engine.run('kubectl', ['logs', '-n', 'kubevirt', 'deployment/cdi-uploadproxy', '--tail=20']);
    const servers = await engine.run('kubectl', ['logs', '-l', 'cdi.kubevirt.io', '--tail=20', '--prefix']);
    return `${proxy.stdout}\n${servers.stdout}`;
  };
  const becomes = (name: string, phase: string): Promise<void> =>
    eventually(async () => expect((await engine.get('dv', name)).status).toMatchObject({ phase }));

  test('an upload through the proxy and an import fill disks', async () => {
    const [node] = await engine.list('nodes');
    const { address } = node.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP');
    const url = `http://${address}:${(images.address() as AddressInfo).port}/disk.img`;
    await engine.mustApply([
      dataVolume('uploaded', { upload: {} }, 'Block'),
      dataVolume('imported', { http: { url } }, 'Filesystem'),
    ]);
    await becomes('uploaded', 'UploadReady');
    const { uploadProxyURL, uploadProxyCA } = (await engine.get('cdiconfig', 'config')).status;
    expect(uploadProxyURL).toBe('https://cdi-uploadproxy.kubevirt.svc');
    writeFileSync(join(folder, 'ca.pem'), uploadProxyCA);
    const token = await engine.run(
      'kubectl',
      ['create', '-o', 'jsonpath={.status.token}', '-f', '-'],
      JSON.stringify({
        apiVersion: 'upload.cdi.kubevirt.io/v1beta1',
        kind: 'UploadTokenRequest',
        metadata: { name: 'uploaded', namespace: 'default' },
        spec: { pvcName: 'uploaded' },
      }),
    );
    // as a Pod of the cluster, which resolves the name to the address of the Service
    const { spec } = await engine.get('service', 'cdi-uploadproxy', 'kubevirt');
    const curl = await engine.run('curl', [
      ...['--silent', '--show-error', '--fail-with-body', '--cacert', join(folder, 'ca.pem')],
      ...['--connect-to', `cdi-uploadproxy.kubevirt.svc:443:${spec.clusterIP}:443`],
      ...['--header', `Authorization: Bearer ${token.stdout}`, '--data-binary', `@${join(folder, 'disk.img')}`],
      `${uploadProxyURL}/v1beta1/upload`,
    ]);
    if (curl.code !== 0) throw new Error(`${curl.stderr}${curl.stdout}\n${await logsOfUpload()}`);
    expect(curl.stderr).toBe('');
    await becomes('uploaded', 'Succeeded');
    await becomes('imported', 'Succeeded');
  });

  test('an upload from outside of the cluster reports which address is missing', async () => {
    const path = join(folder, 'disk.img');
    const { code, stderr } = await engine.virt8s('image-upload', 'dv', 'other', '--size=16Mi', `--image-path=${path}`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/uploadProxyURLOverride .* kubevirt\/cdi-uploadproxy /)]);
    expect(await engine.kubectl('get', 'dv', '-o', 'name')).not.toContain('other');
  });

  test('both are attached to the running guest, and are part of its snapshot', async () => {
    for (const name of ['uploaded', 'imported']) {
      expect(await engine.virt8s('addvolume', 'guest', `--volume-name=${name}`, '--persist')).toMatchObject({
        code: 0,
      });
    }
    await eventually(async () => {
      const { volumeStatus } = (await engine.get('vmi', 'guest')).status;
      for (const name of ['uploaded', 'imported']) {
        expect(volumeStatus).toContainEqual(expect.objectContaining({ name, phase: 'Ready' }));
      }
    });
    const read = `for d in sda sdb; do dd if=/dev/$d bs=1M count=${DISK_BYTES >> 20} 2>/dev/null | sha256sum; done`;
    await eventually(async () => expect(await inGuest(engine, 'guest', read)).toBe(`${digest}  -\n${digest}  -`));
    await engine.mustApply({
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshot',
      metadata: { name: 'before', namespace: 'default' },
      spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'guest' } },
    });
    await eventually(async () => {
      const { status } = await engine.get('vmsnapshot', 'before');
      expect(status).toMatchObject({ readyToUse: true });
      expect(status.snapshotVolumes.includedVolumes.sort()).toEqual(['imported', 'uploaded']);
    });
  });

  test('the guest keeps running while virt-handler and the engine are replaced', async () => {
    const before = await engine.guest('guest');
    const [pod] = await engine.list('pods', '-n', 'kubevirt', '-l', 'kubevirt.io=virt-handler');
    await engine.kubectl('delete', 'pod', pod.metadata.name, '-n', 'kubevirt', '--timeout=5m');
    process.kill(engine.componentPid('engine'), 'SIGKILL');
    await engine.up();
    await engine.kubectl('rollout', 'status', 'daemonset/virt-handler', '-n', 'kubevirt', '--timeout=5m');
    await answersOnConsole();
    expect((await engine.guest('guest')).boot_id).toBe(before.boot_id);
  });

  test('Prometheus scrapes every program, and the only alert is for a guest that cannot be evicted', async () => {
    // without the objects for the Prometheus operator, which is not here
    const monitored = platformManifests(IMAGES, { monitoring: {} }).platform as Monitored[];
    const find = (wanted: string, name = 'kubevirt'): Monitored =>
      monitored.find(({ kind, metadata }) => kind === wanted && metadata.name === name)!;
    await engine.mustApply(find('Service', 'kubevirt-prometheus-metrics'));
    const { selector, endpoints } = find('ServiceMonitor').spec;
    const label = Object.entries(selector.matchLabels).map((pair) => pair.join('='));
    const services = (await engine.list('services', '-n', 'kubevirt', `--selector=${label.join(',')}`)).map(
      ({ metadata }) => metadata.name as string,
    );
    const targets = async (): Promise<Targets[]> =>
      (await engine.list('endpointslices', '-n', 'kubevirt'))
        .filter(({ metadata }) => services.includes(metadata.labels['kubernetes.io/service-name']))
        .flatMap((slice) => {
          const { port } = slice.ports.find(({ name }: { name: string }) => name === endpoints[0].port);
          return (slice.endpoints as Endpoint[]).map(({ addresses, targetRef }) => ({
            targets: addresses.map((address) => `${address}:${port}`),
            labels: { namespace: 'kubevirt', pod: targetRef.name },
          }));
        });
    const prometheus = await Prometheus.start(find('PrometheusRule').spec.groups);
    const scraped = async (): Promise<string[]> =>
      (await prometheus.scraped()).map((pod) => pod.replace(/^(virt-[a-z]+)-[a-z0-9-]+$/, '$1'));
    try {
      const programs = ['virt-api', 'virt-controller', 'virt-handler', 'virt-operator'];
      await eventually(async () => {
        prometheus.scrape(await targets());
        expect([...new Set(await scraped())].sort()).toEqual(programs);
      });
      await eventually(async () => {
        const [info] = await prometheus.query('kubevirt_vmi_info{name="guest"}');
        expect(info).toMatchObject({
          metric: { namespace: 'default', phase: 'running' },
          value: [expect.anything(), '1'],
        });
        expect(await prometheus.query('kubevirt_vmi_memory_resident_bytes{name="guest"} > 0')).toHaveLength(1);
        expect(await prometheus.query('kubevirt_rest_client_requests_total{pod=~"virt-operator-.*"}')).not.toEqual([]);
        expect(await prometheus.ruleErrors()).toEqual([]);
      });
      // guests do not migrate yet
      await eventually(async () =>
        expect(await prometheus.firing()).toMatchObject([
          {
            labels: { alertname: 'VMCannotBeEvicted', vm: 'guest', namespace: 'default' },
            annotations: { runbook_url: expect.stringMatching(/\/docs\/runbooks\/VMCannotBeEvicted\.md$/) as string },
          },
        ]),
      );
    } finally {
      await engine.kubectl('delete', 'service', 'kubevirt-prometheus-metrics', '-n', 'kubevirt');
      await prometheus.stop();
    }
  });

  const kubeVirt = (): Promise<{
    metadata: object;
    status: { phase: string; observedKubeVirtVersion: string; conditions: object[] };
  }> => engine.get('kubevirt', 'kubevirt', 'kubevirt') as never;
  const upgradeTo = (tag: string): Promise<void> =>
    engine.mustApply(platformManifests(PlatformImages.of({ registry: 'localhost/virt8s', tag })).platform);

  test('virt-operator restores what is changed or deleted', async () => {
    await engine.kubectl('delete', 'validatingwebhookconfiguration', 'virt-api-validator');
    await engine.kubectl('delete', 'secret', 'kubevirt-virt-api-certs', '-n', 'kubevirt');
    const grant = [{ op: 'add', path: '/rules/-', value: { apiGroups: [''], resources: ['secrets'], verbs: ['get'] } }];
    await engine.kubectl('patch', 'clusterrole', 'kubevirt.io:view', '--type=json', '-p', JSON.stringify(grant));
    await eventually(async () => {
      const [role] = (await engine.list('clusterroles')).filter(({ metadata }) => metadata.name === 'kubevirt.io:view');
      expect(JSON.stringify(role)).not.toContain('"secrets"');
      const { webhooks } = await engine.get('validatingwebhookconfiguration', 'virt-api-validator');
      expect(webhooks[0].clientConfig.caBundle).toBeDefined();
      expect((await engine.get('secret', 'kubevirt-virt-api-certs', 'kubevirt')).data).toHaveProperty(['tls.crt']);
    });
    const repaired = (await engine.list('events', '-n', 'kubevirt')).filter(({ reason }) => reason === 'Repaired');
    expect(repaired.map(({ message }) => message)).toContainEqual(
      'ClusterRole kubevirt.io:view differed in rules; it is repaired',
    );
  });

  test('an upgrade to images that do not exist is reported, and changes nothing', async () => {
    await upgradeTo('absent');
    await eventually(async () => {
      const { status } = await kubeVirt();
      expect(status.conditions).toContainEqual(
        expect.objectContaining({
          type: 'Degraded',
          status: 'True',
          message: expect.stringMatching(/Pod virt-operator-\S+ on node \S+: container virt-operator: \w*Image/),
        }),
      );
      expect(status).toMatchObject({ phase: 'Deployed', observedKubeVirtVersion: 'test' });
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Available', status: 'True' }));
    });
    await answersOnConsole();
  });

  test('an upgrade changes virt-handler, then the controllers, then virt-api, and no guest', async () => {
    const before = await engine.guest('guest');
    expect(await engine.virt8s('images', 'build', '--tag', 'next')).toMatchObject({ code: 0 });
    await upgradeTo('next');
    await eventually(async () => {
      const { status } = await kubeVirt();
      expect(status).toMatchObject({ phase: 'Deployed', observedKubeVirtVersion: 'next' });
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Degraded', status: 'False' }));
    });
    const pods = (await engine.list('pods', '-n', 'kubevirt')).filter(({ metadata }) => !metadata.deletionTimestamp);
    const startOf = (name: string): string =>
      pods.find(({ metadata }) => metadata.labels['kubevirt.io'] === name).metadata.creationTimestamp;
    expect(pods.map(({ spec }) => spec.containers[0].image.split(':')[1])).toEqual(Array(5).fill('next'));
    const order = ['virt-operator', 'virt-handler', 'virt-controller', 'virt-api'].map(startOf);
    expect(order).toEqual([...order].sort());
    await answersOnConsole();
    expect((await engine.guest('guest')).boot_id).toBe(before.boot_id);
  });

  test('a deleted VM leaves no Pod, and no request was forbidden', async () => {
    await engine.kubectl('delete', 'vmsnapshot', 'before', '--timeout=5m');
    await engine.kubectl('delete', 'vm/guest', 'dv/uploaded', 'dv/imported', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pods')).toEqual([]));
    const refused = engine.audit().filter(({ code }) => code === 403);
    expect(refused.map(({ user, verb, resource, name }) => [user, verb, resource, name])).toEqual([]);
  });

  test('a platform with VMs is not removed; without them, nothing but the definitions remains', async () => {
    await engine.mustApply(tinyVm('last', { runStrategy: 'Halted' }));
    // on a busy machine, virt-api may answer the API server too late, which refuses the request with another cause
    await eventually(async () => {
      const { stderr } = await engine.run('kubectl', [
        'delete',
        'kubevirt',
        'kubevirt',
        '-n',
        'kubevirt',
        '--wait=false',
      ]);
      expect(stderr).toContain('there are still Virtual Machines present');
    });
    expect((await kubeVirt()).metadata).not.toHaveProperty('deletionTimestamp');
    await engine.kubectl('delete', 'vm', 'last');
    await engine.kubectl('delete', 'kubevirt', 'kubevirt', '-n', 'kubevirt', '--timeout=5m');
    const left = await engine.kubectl('get', 'deploy,ds,svc,secret,sa,role,pdb', '-n', 'kubevirt', '-o', 'name');
    expect(
      left
        .trim()
        .split('\n')
        .filter((name) => !/operator|\/default$/.test(name)),
    ).toEqual([]);
    const kinds = 'validatingwebhookconfiguration,mutatingwebhookconfiguration,clusterrole,validatingadmissionpolicy';
    const cluster = (await engine.kubectl('get', kinds, '-o', 'name')).split('\n');
    expect(cluster.filter((name) => /virt-api|kubevirt/.test(name))).toEqual([
      'clusterrole.rbac.authorization.k8s.io/kubevirt-operator',
    ]);
    expect(await engine.kubectl('get', 'crd', 'virtualmachines.kubevirt.io', '-o', 'name')).toContain('kubevirt.io');
  });

  const answersOnConsole = (): Promise<void> => typeOnConsole(engine, 'guest', 'expr 6 \\* 7', /^42\r?$/m);
});

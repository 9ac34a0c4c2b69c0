import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Cluster, type ClusterOptions, eventually } from './cluster';

const FOLDER = resolve(__dirname, '../../examples');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

export interface Example {
  readonly name: string;
  /** Folder of its output. Default: all of it. */
  readonly part?: string;
  readonly namespace?: string;
  /** Secrets that its README creates, as `name: key=value`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whether its guests are small already. */
  readonly isSmall?: boolean;
  /** Needs of the guests: claims, claims with the image of the guest, or copies of these on any node. */
  readonly needs?: 'claims' | 'images' | 'sharedImages';
}

/** Examples whose guests the runtime can run. */
export const examples: readonly Example[] = [
  { name: 'hello-vm' },
  { name: 'instancetype-catalogue', isSmall: true },
  { name: 'gitops', part: 'dev', namespace: 'shop-dev' },
  { name: 'pool', namespace: 'render', needs: 'claims' },
  {
    name: 'web-app',
    namespace: 'shop',
    needs: 'images',
    secrets: { 'database-password': 'password=s3cret', 'admin-keys': 'key=ssh-ed25519 AAAA' },
  },
  {
    name: 'protection',
    namespace: 'ledger',
    needs: 'images',
    secrets: { 'admin-keys': 'key=ssh-ed25519 AAAA' },
  },
  {
    name: 'golden-image',
    namespace: 'team-a',
    needs: 'sharedImages',
    secrets: { 'team-keys': 'key=ssh-ed25519 AAAA' },
  },
];

/** Guests of the examples serve their report at each port that an example probes. */
const USER_DATA = '#cloud-config\nruncmd:\n  - /bin/httpd -p 5432 -h /var/www\n';

/** Applies an example with the image of the test's guest and small sizes, until each guest answers, and deletes it. */
export async function boots(cluster: Cluster, example: Example): Promise<void> {
  const own = testNamespace(example.namespace ?? example.name);
  const objects = adapted(example, cluster.options);
  const namespaces = [...new Set([own, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])])];
  const isPlaced = ({ metadata }: Manifest): boolean => metadata.namespace !== undefined;
  try {
    await cluster.apply(namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
    for (const [name, value] of Object.entries(example.secrets ?? {})) {
      await cluster.kubectl('create', 'secret', 'generic', name, '-n', own, `--from-literal=${value}`);
    }
    await cluster.apply(objects.filter(isPlaced));
    const others = objects.filter((object) => !isPlaced(object));
    await cluster.apply(others, '-n', own);
    const guests = await eventually(300_000, () => running(cluster, own, objects));
    for (const guest of guests) await eventually(180_000, () => cluster.guest(guest, own));
  } finally {
    for (const { kind, metadata } of objects.filter(({ kind: of }) =>
      /^(VirtualMachineCluster|MigrationPolicy)/.test(of),
    ))
      await cluster.kubectl('delete', kind, metadata.name, '--ignore-not-found');
    for (const name of namespaces) await cluster.kubectl('delete', 'namespace', name, '--timeout=180s');
  }
}

/** The test deletes only namespaces that nobody else has. */
const testNamespace = (name: string): string => `virt8s-cluster-test-${name}`;

/** Names of the instances, as soon as each that the objects declare is Ready. @throws Error with the state */
async function running(cluster: Cluster, namespace: string, objects: readonly Manifest[]): Promise<string[]> {
  const { items } = await cluster.get('vmi', '-n', namespace);
  const ready = items.filter(({ status }: Manifest) =>
    status.conditions?.some(({ type, status: is }: Manifest) => type === 'Ready' && is === 'True'),
  );
  const wanted = objects.map(({ kind, spec }) =>
    kind === 'VirtualMachine'
      ? Number(spec.runStrategy !== 'Halted')
      : /^VirtualMachine(Pool|InstanceReplicaSet)$/.test(kind)
        ? spec.replicas
        : 0,
  );
  const count = wanted.reduce((sum, each) => sum + each, 0);
  if (ready.length === count) return ready.map(({ metadata }: Manifest) => metadata.name);
  const state = await cluster.kubectl('get', 'vm,vmi,dv,pvc,pods', '-n', namespace);
  throw new Error(`${ready.length} of ${count} guests are Ready:\n${state}`);
}

function adapted({ name, part = '.', isSmall }: Example, { guestImage, registry, tag }: ClusterOptions): Manifest[] {
  const outdir = mkdtempSync(join(tmpdir(), 'virt8s-example-'));
  try {
    const env = {
      ...process.env,
      ...{ CDK8S_OUTDIR: outdir, GUEST_IMAGE: guestImage, JOB_IMAGE: `${registry}/virt-importer:${tag}` },
    };
    execFileSync('node', ['--import', 'tsx', 'main.ts'], { cwd: join(FOLDER, name), env });
    const folder = join(outdir, part);
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
    const objects = files.flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8').replace(
        /^(\s*(?:namespace: |name: system:serviceaccounts:))(\S+)$/gm,
        (_, field: string, of: string) => field + testNamespace(of),
      );
      return parseAllDocuments(isSmall ? text : small(text)).map((each) => each.toJSON() as Manifest);
    });
    objects.forEach((object) => replaceImages(object, guestImage));
    return objects.filter(({ kind }) => kind !== 'Ingress' && kind !== 'Deployment');
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Sizes for a test cluster: emulated guests, and claims on the disk of a node. */
const small = (text: string): string =>
  text
    .replace(/guest: \d+Gi/g, 'guest: 256Mi')
    .replace(/sockets: \d+/g, 'sockets: 1')
    .replace(/storage: 10Gi/g, 'storage: 1Gi')
    .replace(/storage: \d\d+Gi/g, 'storage: 2Gi')
    .replace(/replicas: \d+/g, 'replicas: 2')
    .replace(/initialDelaySeconds: \d+/g, 'initialDelaySeconds: 1')
    .replace(/path: \/healthz/g, 'path: /')
    // guests are not migrated, and many classes give a claim to one node only
    .replace(/ReadWriteMany/g, 'ReadWriteOnce');

/** Gives the guests of an object the image of the test's guest, which the container runtimes of the nodes read. */
function replaceImages(object: Manifest, image: string): void {
  if (typeof object !== 'object' || object === null) return;
  if (object.containerDisk) object.containerDisk.image = image;
  if (object.cloudInitNoCloud) object.cloudInitNoCloud.userData = USER_DATA;
  if (object.registry?.url) object.registry = { url: `docker://${image}`, pullMethod: 'node' };
  Object.values(object).forEach((value) => replaceImages(value, image));
}

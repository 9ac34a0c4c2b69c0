import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './cluster-test/cases';
import { Cluster } from './cluster-test/cluster';
import { reportOf, type Result } from './cluster-test/report';

const USAGE = `Installs the platform in a cluster, as examples/platform does, uses and breaks it, and removes it.

  npx tsx scripts/cluster-test.ts --kubeconfig FILE --registry NAME --tag TAG --guest-image REF [options]

  --kubeconfig FILE    cluster; it must not have the platform or KubeVirt
  --registry, --tag    images of the platform: virt8s images build --push REGISTRY --tag TAG
  --guest-image REF    image of the guest "tiny" (guests/tiny/build), which nodes can pull
  --ssh-key FILE       private key for the guests; default: none, without the case of ssh
  --side-containers    disks of images in side containers, also where nodes have image volumes
  --runtime-dir DIR    further directory in which the container runtime mounts images, for side containers
  --insecure-registry  the registry is reached by HTTP, or its certificate is not checked
  --only TEXT          only cases whose name contains this text, and those that they need
  --keep               leaves the platform installed
  --report FILE        writes the result as Markdown`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string', default: process.env.KUBECONFIG },
      registry: { type: 'string' },
      tag: { type: 'string' },
      'guest-image': { type: 'string' },
      'ssh-key': { type: 'string' },
      'side-containers': { type: 'boolean', default: false },
      'runtime-dir': { type: 'string', multiple: true },
      'insecure-registry': { type: 'boolean', default: false },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { kubeconfig, registry, tag, 'guest-image': guestImage } = values;
  if (values.help || !kubeconfig || !registry || !tag || !guestImage) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const cluster = new Cluster({
    ...{ kubeconfig, registry, tag, guestImage, runtimeDirectories: values['runtime-dir'] },
    sideContainers: values['side-containers'],
    insecureRegistry: values['insecure-registry'],
    sshKey: values['ssh-key'],
  });
  const results: Result[] = [];
  for (const { name, run, isNeeded, isLast } of cases) {
    if (isLast && values.keep) continue;
    if (values.only && !isNeeded && !isLast && !name.includes(values.only)) continue;
    const result = await attempt(name, () => run(cluster));
    results.push(result);
    console.log(`${result.outcome.padEnd(7)} ${(result.seconds.toFixed(1) + ' s').padStart(8)}  ${name}`);
    if (result.detail) console.log(result.detail.replace(/^/gm, '          '));
    if (result.outcome === 'failed' && isNeeded) break;
  }
  const text = reportOf(await cluster.describe(), results);
  if (values.report) writeFileSync(values.report, text);
  process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

/** Runs a case. A case that returns a text was not possible in this cluster. */
async function attempt(name: string, run: () => Promise<string | void>): Promise<Result> {
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  try {
    const reason = await run();
    return { name, outcome: reason ? 'skipped' : 'passed', seconds: seconds(), ...(reason ? { detail: reason } : {}) };
  } catch (error) {
    return {
      name,
      outcome: 'failed',
      seconds: seconds(),
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

/**
 * Runs the recorded kubectl session against a cluster for tests, and prints where its output differs from the recorded
 * one: `npx tsx scripts/oracle/transcripts.ts KUBECONFIG [NAME…]` with an administrator's kubeconfig.
 */
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { KubeClient, loadKubeConfig } from '../../src/runtime/kube';
import { startReadyPods } from '../../test/support/ready-pods';
import { readGolden } from '../../test/support/golden';
import { replay, blocksOf } from '../../test/support/transcript';

const folder = join(__dirname, '../../test/integration/local/api-server/kubectl-session');

async function main([kubeconfig, ...chosen]: string[]): Promise<void> {
  if (!kubeconfig) throw new Error('a kubeconfig is missing; run: npx tsx scripts/oracle/transcripts.ts KUBECONFIG');
  const client = new KubeClient(loadKubeConfig(kubeconfig), { userAgent: 'transcripts' });
  const nodes = await startReadyPods(client, 'session-workloads');
  try {
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith('.txt'))
      .map((file) => parse(file).name)) {
      if (chosen.length && !chosen.includes(name)) continue;
      const recorded = readGolden(join(folder, `${name}.txt`));
      const there = blocksOf(await replay(recorded, { kubeconfig, files: join(folder, 'manifests') }));
      for (const [i, ours] of blocksOf(recorded).entries()) {
        if (ours === there[i]) continue;
        console.log(`${name}: ${difference(ours.split('\n'), there[i]!.split('\n')).join('\n  ')}\n`);
      }
    }
  } finally {
    await nodes.close();
    client.close();
  }
}

/** The command, and the lines that only one side has. */
const difference = ([command = '', ...ours]: string[], [, ...theirs]: string[]): string[] => [
  command,
  ...ours.filter((line) => !theirs.includes(line)).map((line) => `- ${line}`),
  ...theirs.filter((line) => !ours.includes(line)).map((line) => `+ ${line}`),
];

void main(process.argv.slice(2));

/**
 * Compares the engine's API server with a Kubernetes API server: the life of an object of each built-in kind, and wrong
 * values in each of its fields. `npx tsx scripts/oracle/kinds/main.ts KUBECONFIG [KIND…]` with an administrator's
 * kubeconfig of a cluster for tests. Prints every difference, and how many answers agree in each area.
 */
import { errorText } from '../../../src/api/error-text';
import { startTestApiServer } from '../../../test/support/api-server';
import { normalize } from '../../../test/integration/local/api-server/normalize';
import { type Answer, type Send, sender } from './send';
import { detailedSamples } from './detailed-samples';
import { differences } from './differences';
import { fieldRequestsOf, NAMESPACE, requestsOf } from './requests';
import { samples } from './samples';
import { count, report, type Totals } from './totals';

async function main([kubeconfig, ...kinds]: string[]): Promise<void> {
  if (!kubeconfig) throw new Error('a kubeconfig is missing; run: npx tsx scripts/oracle/kinds/main.ts KUBECONFIG');
  const ours = await startTestApiServer();
  try {
    const both = [sender(kubeconfig), sender(ours.kubeconfig)] as const;
    for (const send of both) await prepare(send);
    const areas: Totals = new Map();
    const ofKinds: Totals = new Map();
    const groups = [
      ...samples.map((sample) => [sample, requestsOf(sample)] as const),
      ...detailedSamples.map((sample) => [sample, fieldRequestsOf(sample)] as const),
    ];
    for (const [sample, requests] of groups) {
      if (kinds.length && !kinds.includes(String(sample.object.kind))) continue;
      for (const { area, name, method, path, body, type, headers } of requests) {
        const [theirs, own] = await Promise.all(both.map((send) => send(method, path, body, type, headers)));
        const found = differences(clean(theirs!), clean(own!));
        count(areas, area, found);
        count(ofKinds, String(sample.object.kind), found);
        if (found.lines.length)
          console.log([`${area} · ${name}`, ...found.lines.slice(0, 12).map((line) => `    ${line}`)].join('\n'));
      }
    }
    report(ofKinds);
    report(areas);
  } finally {
    await ours.close();
  }
}

/** Creates the namespace with its account, which Pods need. */
async function prepare(send: Send): Promise<void> {
  await send('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  for (;;) {
    const { code } = await send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE },
    });
    if (code === 201) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  while ((await send('GET', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default`)).code !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const clean = ({ code, body, warnings }: Answer): Answer => ({
  code,
  body: normalize(JSON.parse(JSON.stringify(body, comparable))),
  warnings,
});

/**
 * Descriptions of columns are our own, addresses and ports of Services are random, and a distribution of Kubernetes may add its own
 * certificates to the volume of a Pod's token.
 */
function comparable(this: unknown, key: string, value: unknown): unknown {
  if (key === 'columnDefinitions') return namesOf(value as { description?: string }[] | null);
  if (typeof value === 'string' && /^10\.96\.\d+\.\d+$/.test(value) && value !== '10.96.0.0') return '<address>';
  if (key === 'nodePort' && typeof value === 'number' && value > 30_300 && value < 32_768) return '<port>';
  if (key === 'sources' && Array.isArray(value) && value[0]?.serviceAccountToken?.path === 'token')
    return value.slice(0, 3);
  return value;
}

const namesOf = (columns: { description?: string }[] | null): unknown =>
  columns?.map(({ description: _, ...column }) => column);

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});

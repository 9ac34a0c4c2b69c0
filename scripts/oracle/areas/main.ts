/**
 * Compares the engine's API server with a Kubernetes API server: admission, quotas, authorization, aggregation and
 * definitions. `npx tsx scripts/oracle/areas/main.ts KUBECONFIG [AREA…]` with an administrator's kubeconfig of a cluster
 * on this machine, for tests. Prints every difference, and how many answers agree in each area.
 */
import { normalize } from '../../../test/integration/local/api-server/normalize';
import { startTestApiServer } from '../../../test/support/api-server';
import { TestCa } from '../../../test/support/pki';
import { differences } from '../kinds/differences';
import { type Answer, type Send, sender } from '../kinds/send';
import { count, report, type Totals } from '../kinds/totals';
import { areas } from './index';
import { NAMESPACE, type Step } from './scenario';
import { startHooks } from './hooks';

async function main([kubeconfig, ...names]: string[]): Promise<void> {
  if (!kubeconfig) throw new Error('a kubeconfig is missing; run: npx tsx scripts/oracle/areas/main.ts KUBECONFIG');
  const ours = await startTestApiServer();
  const ca = await TestCa.create('hooks-ca');
  const hooks = await startHooks(await ca.issue([{ CN: ['hooks'] }], ['127.0.0.1', 'localhost']));
  try {
    const both = [sender(kubeconfig), sender(ours.kubeconfig)] as const;
    const totals: Totals = new Map();
    await Promise.all(both.map(prepare));
    for (const [area, stepsOf] of Object.entries(areas)) {
      if (names.length && !names.includes(area)) continue;
      for (const step of stepsOf({ port: hooks.port, ca: Buffer.from(ca.pem).toString('base64') })) {
        const [theirs, own] = await Promise.all(both.map((send) => answer(send, step)));
        if (step.silent) {
          if (theirs!.code >= 300 || own!.code >= 300) {
            if (theirs!.code !== own!.code) console.log(`${area} · ${step.name}: ${theirs!.code} ${own!.code}`);
          }
          continue;
        }
        const found = differences(clean(theirs!), clean(own!));
        count(totals, area, found);
        if (found.lines.length)
          console.log([`${area} · ${step.name}`, ...found.lines.slice(0, 12).map((line) => `    ${line}`)].join('\n'));
      }
    }
    report(totals);
    await both[0]('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  } finally {
    hooks.close();
    await ours.close();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function answer(send: Send, { method, path, body, type, headers, until }: Step): Promise<Answer> {
  const end = Date.now() + 10_000;
  for (;;) {
    const got = await send(method, path, body, type, headers);
    if (!until || until(got) || Date.now() > end) return got;
    await pause(100);
  }
}

/** Creates the namespace with its account, after what an interrupted run left. */
async function prepare(send: Send): Promise<void> {
  for (const kind of ['validating', 'mutating']) {
    await send('DELETE', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/areas-${kind}`);
  }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await send('POST', '/api/v1/namespaces', namespace);
  while ((await send('GET', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default`)).code !== 200) await pause(100);
}

/** Values that each server chooses. */
const CHOSEN = new Set(['columnDefinitions', 'managedFields', 'clusterIP', 'clusterIPs', 'nodePort', 'token']);

const clean = ({ code, body, warnings }: Answer): Answer => ({
  code,
  body: normalize(
    JSON.parse(
      JSON.stringify(body, (key, value: unknown) => {
        if (CHOSEN.has(key)) return undefined;
        // A distribution adds a source to the volume of each Pod.
        if (key === 'sources' && Array.isArray(value)) return value.slice(0, 3) as unknown;
        return value;
      }) ?? 'null',
    ),
  ),
  warnings,
});

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  process.exitCode = 1;
});

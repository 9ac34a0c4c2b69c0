/**
 * Records what Kubernetes 1.36's own server answers to the requests in recorded-requests.ts:
 * `npx tsx test/integration/local/api-server/record.ts [KUBECONFIG]`, then look at the diff. Without a kubeconfig of a test
 * cluster, it needs what scripts/oracle/build.sh builds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sender } from '../../../../scripts/oracle/kinds/send';
import { startOracle } from '../../../../scripts/oracle/server';
import { normalize } from './normalize';
import { GROUP, requests, widgetCrd } from './recorded-requests';
import { sleep } from '../../../support/patience';
import { until } from '../../../support/until';

async function main(kubeconfig?: string): Promise<void> {
  const oracle = kubeconfig ? { send: sender(kubeconfig), stop: () => Promise.resolve() } : await startOracle();
  try {
    const created = await oracle.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd);
    if (created.code !== 201) throw new Error(JSON.stringify(created.body));
    await until(async () => (await oracle.send('GET', `/apis/${GROUP}/v1/widgets`)).code === 200);
    // eslint-disable-next-line virt8s/patience -- Kubernetes shows no later event; CI records nothing
    await sleep(2000);
    const answers: Record<string, unknown> = {};
    for (const { name, method, path, body, type } of requests) {
      const answer = await oracle.send(method, path, body, type);
      answers[name] = { code: answer.code, body: normalize(answer.body) };
    }
    writeFileSync(join(__dirname, 'recorded-answers.json'), `${JSON.stringify(answers, null, 2)}\n`);
  } finally {
    await oracle.stop();
  }
}

void main(process.argv[2]);

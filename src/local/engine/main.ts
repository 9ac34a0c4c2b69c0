import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../../api/error-text';
import { Engine, versionOf } from './engine';
import { handleFaults } from '../faults';
import { logLine } from '../log';
import { runNode } from './nodes/run-node';
import { reportProgress } from './progress';

/** Process of the engine. `virt8s up` starts it in a separate mount namespace. */
async function main(): Promise<void> {
  handleFaults((message, details) => console.error(logLine(message, details)));
  const { values } = parseArgs({
    options: {
      'state-dir': { type: 'string' },
      port: { type: 'string' },
      'node-name': { type: 'string' },
      nodes: { type: 'string' },
      'ingress-http-port': { type: 'string' },
      'ingress-https-port': { type: 'string' },
      bare: { type: 'boolean', default: false },
    },
  });
  const programs = dirname(process.argv[1]!);
  const engine = new Engine({
    stateDir: values['state-dir']!,
    port: Number(values.port),
    nodeName: values['node-name']!,
    ...(values.nodes ? { nodes: Number(values.nodes) } : {}),
    ingressPorts: {
      ...(values['ingress-http-port'] ? { http: Number(values['ingress-http-port']) } : {}),
      ...(values['ingress-https-port'] ? { https: Number(values['ingress-https-port']) } : {}),
    },
    bare: values.bare,
    programs,
    version: versionOf(programs),
    onStep: (step) => reportProgress({ step }),
  });
  const stop = (): void => {
    void engine.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // `virt8s node stop` and `start` change what the engine reads here
  process.on('SIGHUP', () => void engine.reconcileNodes());
  try {
    reportProgress({ ready: await engine.start() });
  } catch (error) {
    reportProgress({ error: errorText(error) });
    console.error(error);
    await engine.stop();
    process.exit(1);
  }
}

// a further node runs this program, too: it shares most of its code
const run = process.argv[2] === 'node' ? runNode : main;
run().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});

import { CONSOLE_LOG, paths } from './constants';
import { pullPolicyOf } from './input';
import type { RenderInput } from './input';
import { unprivileged } from './security';
import { sideResources } from './side-resources';
import type { Container } from './types';
import { verbosityOf } from './verbosity';

/** Container whose `kubectl logs` is the guest's serial console; undefined if the log is disabled. */
export function consoleLogContainer(input: RenderInput): Container | undefined {
  const { vmi, config, launcherImage } = input;
  const { autoattachSerialConsole, logSerialConsole } = vmi.spec.domain.devices;
  if (autoattachSerialConsole === false || !(logSerialConsole ?? !config.disableSerialConsoleLog)) return undefined;
  return {
    name: CONSOLE_LOG,
    image: launcherImage,
    imagePullPolicy: pullPolicyOf(input),
    command: ['/usr/bin/virt-tail'],
    args: ['--logfile', `${paths.privateDir}/${vmi.metadata.uid}/virt-serial0-log`],
    env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: String(verbosityOf(vmi, config).level) }],
    resources: sideResources(input, 'guest-console-log', {
      requests: { cpu: '5m', memory: '35M' },
      limits: { cpu: '15m', memory: '60M' },
    }),
    restartPolicy: 'Always',
    securityContext: unprivileged,
    volumeMounts: [{ name: 'private', mountPath: paths.privateDir, readOnly: true }],
  };
}

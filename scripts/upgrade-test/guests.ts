import { eventually, type TestEngine, tinyVm } from '../../test/support/engine';
import { GUEST_SHELL, inGuest } from '../../test/support/guest-shell';

/** A guest whose launcher belongs to the earlier commit. */
export const GUEST = 'steady';

/** Identifies a boot of the guest, and its launcher. */
export interface Boot {
  readonly id: string;
  /** UID of the launcher Pod. */
  readonly launcher: string;
}

export async function boot(engine: TestEngine): Promise<Boot> {
  await engine.mustApply(tinyVm(GUEST, { memory: '128Mi', userData: GUEST_SHELL }));
  await engine.vmBecomes(GUEST, 'Running');
  const { boot_id: id } = await engine.guest(GUEST);
  return { id, launcher: await launchersOf(engine) };
}

/** @throws if the guest has booted again, has another launcher, or does not answer */
export async function continues(engine: TestEngine, before: Boot): Promise<void> {
  const { boot_id: id } = await engine.guest(GUEST);
  if (id !== before.id) throw new Error(`the guest has booted again: ${before.id} is now ${id}`);
  const launcher = await launchersOf(engine);
  if (launcher !== before.launcher) throw new Error(`the launcher was ${before.launcher}, and is ${launcher}`);
}

const launchersOf = async (engine: TestEngine): Promise<string> =>
  (await engine.list('pods', '-l', `vm.kubevirt.io/name=${GUEST}`)).map(({ metadata }) => metadata.uid).join(', ');

/** Uses the operations that launchers of both commits have. */
export async function isUsable(engine: TestEngine): Promise<void> {
  await eventually(async () => {
    const script = `(sleep 1; printf '\\nexpr 6 \\\\* 7\\n'; sleep 3; printf '\\035') | timeout 20 "$0" console ${GUEST}`;
    const { stdout, stderr } = await engine.run('sh', ['-c', script, 'bin/virt8s']);
    if (!/^42\r?$/m.test(stdout)) throw new Error(`the console does not answer: ${stdout}${stderr}`);
  });
  await must(engine, 'pause', 'vm', GUEST);
  await engine.kubectl('wait', `vmi/${GUEST}`, '--for=condition=Paused', '--timeout=5m');
  await must(engine, 'unpause', 'vm', GUEST);
  await engine.guest(GUEST);
}

/** Attaches a new disk to the guest, and detaches it. */
export async function takesDisk(engine: TestEngine): Promise<void> {
  await engine.mustApply({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name: 'more',
      namespace: 'default',
      annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
    },
    spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '16Mi' } } } },
  });
  await eventually(async () => {
    const { phase } = (await engine.get('dv', 'more')).status ?? {};
    if (phase !== 'Succeeded') throw new Error(`the DataVolume is ${phase}`);
  });
  const disks = (): Promise<string> => inGuest(engine, GUEST, 'ls /sys/block');
  await must(engine, 'addvolume', GUEST, '--volume-name=more');
  await eventually(async () => {
    if (!(await disks()).includes('sda')) throw new Error('the guest has no new disk');
  });
  await must(engine, 'removevolume', GUEST, '--volume-name=more');
  await eventually(async () => {
    if ((await disks()).includes('sda')) throw new Error('the guest still has the disk');
  });
}

/** Restarts the guest, whose launcher is of this tree afterwards. */
export async function restarts(engine: TestEngine, before: Boot): Promise<void> {
  await must(engine, 'restart', GUEST);
  await eventually(async () => {
    const { boot_id: now } = await engine.guest(GUEST);
    if (now === before.id) throw new Error('the guest has not booted again');
  });
  await engine.vmBecomes(GUEST, 'Running');
}

async function must(engine: TestEngine, ...args: string[]): Promise<void> {
  const { code, stderr } = await engine.virt8s(...args);
  if (code !== 0) throw new Error(`virt8s ${args.join(' ')}: ${stderr}`);
}

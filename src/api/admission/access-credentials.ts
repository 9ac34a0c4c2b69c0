import type { Finding, Path } from '../findings';
import type { AccessCredential, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** Validates access credentials: SSH keys and passwords from Secrets, and their way into the guest. */
export const accessCredentials: InstanceRule = (spec, at) =>
  mistakesOf(spec.accessCredentials ?? [], (credential, i) => {
    const path = at.at('accessCredentials', i);
    const errors = [...publicKeys(credential, path, spec), ...password(credential, path)];
    if (Boolean(credential.sshPublicKey) !== Boolean(credential.userPassword)) return errors;
    const message = `${path} must have exactly one access credential type set`;
    return [...errors, ...mistake('credential-one', path, message, 'keep one of sshPublicKey, userPassword')];
  });

const VOLUMES = { noCloud: 'cloudInitNoCloud', configDrive: 'cloudInitConfigDrive' } as const;

function publicKeys(
  { sshPublicKey: keys }: AccessCredential,
  path: Path,
  { volumes = [] }: VirtualMachineInstanceSpec,
): Finding[] {
  if (!keys) return [];
  const at = path.at('sshPublicKey');
  const { noCloud, configDrive, qemuGuestAgent } = keys.propagationMethod ?? {};
  const errors: Finding[] = [];
  const there = {
    noCloud: volumes.some(({ cloudInitNoCloud }) => cloudInitNoCloud),
    configDrive: volumes.some(({ cloudInitConfigDrive }) => cloudInitConfigDrive),
  };
  for (const [method, other, used] of [
    ['noCloud', 'configDrive', noCloud],
    ['configDrive', 'noCloud', configDrive],
  ] as const) {
    if (!used || there[method]) continue;
    const own = at.at('propagationMethod', method);
    const message = `${path} requires a ${method} volume to exist when the ${method} propagationMethod is in use.`;
    // a guest reads only one of the two volumes
    const remedy = there[other]
      ? `write ${other}: {} instead, for the ${VOLUMES[other]} volume of the guest`
      : `add a ${VOLUMES[method]} volume`;
    const extra = { field: `${at.at('propagationMethod')}`, ...(there[other] && { value: method, allowed: [other] }) };
    errors.push(...mistake('credential-volume', own, message, remedy, extra));
  }
  if (qemuGuestAgent && !qemuGuestAgent.users?.length) {
    const own = at.at('propagationMethod', 'qemuGuestAgent', 'users');
    const message = `${path} requires at least one user to be present in the users list`;
    errors.push(...mistake('credential-users', own, message, 'name the users whose authorized_keys to write'));
  }
  const methods = [noCloud, configDrive, qemuGuestAgent].filter(Boolean).length;
  return [...errors, ...sourceAndMethod(Boolean(keys.source?.secret), methods, path, at)];
}

function password({ userPassword: own }: AccessCredential, path: Path): Finding[] {
  if (!own) return [];
  const methods = own.propagationMethod?.qemuGuestAgent ? 1 : 0;
  return sourceAndMethod(Boolean(own.source?.secret), methods, path, path.at('userPassword'));
}

function sourceAndMethod(secret: boolean, methods: number, path: Path, at: Path): Finding[] {
  const errors: Finding[] = [];
  if (!secret) {
    const message = `${path} must have exactly one source set`;
    errors.push(...mistake('credential-source', at.at('source'), message, 'add secret: {secretName: …}'));
  }
  if (methods !== 1) {
    const message = `${path} must have exactly one propagationMethod set`;
    errors.push(...mistake('credential-method', at.at('propagationMethod'), message, 'keep one method'));
  }
  return errors;
}

import { codeOf, readInRoot, UntrustedFileError } from '../../host/untrusted';
import { ConfigError } from './environment';
import type { Container, PodSpec } from '../../core-v1';

/** User and groups of a container. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly additionalGids: readonly number[];
  readonly home?: string;
}

interface Account {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Limit of account files, enough for thousands of accounts. */
export const MAX_ACCOUNT_BYTES = 1 << 20;

/** Lines of the image's passwd or group file; empty if the image has none. */
function accounts(rootfs: string, file: string): Account[] {
  let text: string;
  try {
    text = readInRoot(rootfs, file, MAX_ACCOUNT_BYTES).toString('utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    if (!(error instanceof UntrustedFileError)) throw error;
    throw new ConfigError(
      `image: ${error.message} (allowed: a regular file of at most ${MAX_ACCOUNT_BYTES} bytes); build the image again`,
    );
  }
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, ...fields]) => (name ? [{ name, fields }] : []));
}

/**
 * User of a container in Kubernetes' order: the security context, the image's USER, or root. Groups come
 * from the image's /etc/group plus fsGroup and supplementalGroups.
 */
export function userOf(spec: PodSpec, container: Container, imageUser: string, rootfs: string): ContainerUser {
  const podContext = spec.securityContext ?? {};
  const own = container.securityContext ?? {};
  const runAsUser = own.runAsUser ?? podContext.runAsUser;
  const runAsGroup = own.runAsGroup ?? podContext.runAsGroup;
  const passwd = accounts(rootfs, '/etc/passwd');
  const groups = accounts(rootfs, '/etc/group');

  const [userPart = '', groupPart] = imageUser.split(':');
  const wanted = runAsUser !== undefined ? String(runAsUser) : userPart || '0';
  const isNumber = /^\d+$/.test(wanted);
  const account = passwd.find(({ name, fields }) => (isNumber ? fields[1] === wanted : name === wanted));
  if (!isNumber && !account) throw new ConfigError(`unable to find user ${wanted}: no matching entries in passwd file`);
  const uid = isNumber ? Number(wanted) : Number(account?.fields[1]);

  // the image's group applies only with the image's user
  const fromImage = runAsUser === undefined && groupPart ? groupId(groupPart, groups) : undefined;
  const gid = runAsGroup ?? fromImage ?? Number(account?.fields[2] ?? 0);

  const mustNotBeRoot = own.runAsNonRoot ?? podContext.runAsNonRoot;
  if (mustNotBeRoot && runAsUser === undefined && userPart && !/^\d+$/.test(userPart)) {
    throw new ConfigError(
      `container has runAsNonRoot and image has non-numeric user (${userPart}), cannot verify user is non-root`,
    );
  }
  if (mustNotBeRoot && uid === 0) {
    const why = runAsUser === 0 ? "container's runAsUser breaks non-root policy" : null;
    throw new ConfigError(why ?? 'container has runAsNonRoot and image will run as root');
  }

  const member = account ? groups.filter(({ fields }) => fields[2]?.split(',').includes(account.name)) : [];
  const additionalGids = [
    ...member.map(({ fields }) => Number(fields[1])),
    ...(podContext.supplementalGroups ?? []),
    ...(podContext.fsGroup !== undefined ? [podContext.fsGroup] : []),
    // runc and crun add the primary group as well
    gid,
  ];
  const unique = [...new Set(additionalGids)].filter(Number.isInteger);
  return { uid, gid, additionalGids: unique, home: account?.fields[4] };
}

function groupId(text: string, groups: readonly Account[]): number {
  if (/^\d+$/.test(text)) return Number(text);
  const found = groups.find(({ name }) => name === text);
  if (!found) throw new ConfigError(`unable to find group ${text}: no matching entries in group file`);
  return Number(found.fields[1]);
}

import type { Check, Finding } from '../finding';
import { error, warning } from '../finding';
import type { Facts } from '../facts';
import { compareVersions, parseVersion, type Version } from '../versions';
import { grouped, nameOf, spanText, subjectOf } from '../words';

/** Oldest version of Kubernetes for the platform: admission policies tell it the node of a token. */
const OLDEST: Version = { major: 1, minor: 30 };
/** Minor versions that a kubelet may be older than the API server. */
const SKEW = 3;
/** Clocks that differ by less do no harm: certificates are valid before they are issued. */
const CLOCK_LIMIT_MS = 60_000;

/** Versions of the API server and the kubelets, and the clock. */
export const server: Check = { name: 'kubernetes', reads: ['server', 'nodes'], find };

function find(facts: Facts): Finding[] {
  return [...ofServer(facts), ...ofKubelets(facts), ...ofClock(facts)];
}

function ofServer({ server: text }: Facts): Finding[] {
  const version = parseVersion(text);
  if (!version || compareVersions(version, OLDEST) >= 0) return [];
  return [
    error(
      'API server',
      `its version ${text} is older than ${named(OLDEST)}, which the platform requires`,
      `upgrade the cluster to Kubernetes ${named(OLDEST)} or later`,
    ),
  ];
}

function ofKubelets({ server: text, nodes = [] }: Facts): Finding[] {
  const version = parseVersion(text);
  if (!version) return [];
  const byVersion = grouped(nodes, ({ status }) => status?.nodeInfo?.kubeletVersion ?? '');
  return [...byVersion].flatMap(([kubelet, of]) => {
    const found = parseVersion(kubelet);
    const cause = found && kubeletProblem(found, version, text ?? '');
    if (!cause) return [];
    const remedy = `upgrade the kubelet, or the API server, so that both have supported versions (${named(OLDEST)} or later, a kubelet at most ${SKEW} minor versions older)`;
    return [error(subjectOf('Node', of.map(nameOf)), `kubelet ${kubelet} ${cause}`, remedy)];
  });
}

function kubeletProblem(kubelet: Version, api: Version, text: string): string | undefined {
  if (compareVersions(kubelet, api) > 0) return `is newer than the API server (${text})`;
  if (compareVersions(kubelet, OLDEST) < 0) return `is older than ${named(OLDEST)}, which the platform requires`;
  if (kubelet.major === api.major && api.minor - kubelet.minor > SKEW) {
    return `is more than ${SKEW} minor versions older than the API server (${text})`;
  }
  return undefined;
}

function ofClock({ clockOffsetMs }: Facts): Finding[] {
  if (Math.abs(clockOffsetMs) < CLOCK_LIMIT_MS) return [];
  return [
    warning(
      'Clock of this machine',
      `it is ${spanText(clockOffsetMs)} ${clockOffsetMs > 0 ? 'ahead of' : 'behind'} that of the API server, so certificates and tokens may be rejected`,
      'synchronize both clocks with NTP',
    ),
  ];
}

const named = ({ major, minor }: Version): string => `${major}.${minor}`;

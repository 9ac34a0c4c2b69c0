/** Kubernetes release whose behaviour this server follows. */
const MAJOR = '1';
const MINOR = '36';

export const versionInfo = {
  major: MAJOR,
  minor: MINOR,
  emulationMajor: MAJOR,
  emulationMinor: MINOR,
  minCompatibilityMajor: MAJOR,
  minCompatibilityMinor: '35',
  gitVersion: `v${MAJOR}.${MINOR}.4+virt8s`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

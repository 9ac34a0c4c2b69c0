import { version } from '../../../package.json';

/** Answer to `GET version`, in the form that KubeVirt's clients read. */
export const versionInfo = {
  gitVersion: `v${version}`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  // fields of a Go build, which clients expect
  goVersion: '',
  compiler: `node ${process.version}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

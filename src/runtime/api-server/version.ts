import { version } from '../../../package.json';

/** What `GET version` answers: the shape that KubeVirt's clients read. */
export const versionInfo = {
  gitVersion: `v${version}`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  // names of another language's build, which clients expect to find
  goVersion: '',
  compiler: `node ${process.version}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

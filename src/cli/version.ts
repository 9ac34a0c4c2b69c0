import { version } from '../../package.json';

/** Version of this command. */
export const clientVersion = {
  gitVersion: `v${version}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
export const userAgent = `virt8s/${clientVersion.gitVersion} (${clientVersion.platform})`;

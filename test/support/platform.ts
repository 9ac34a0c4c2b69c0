import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform } from '../../src';
import { operatorConfigMaps, operatorSecrets, virtOperatorAccess } from '../../src/api/access';
import { UPLOAD_PROXY_SERVICE } from '../../src/api/cdi/upload';
import { certificateNames } from '../../src/api/certificates';
import { Authority, type KeyPair } from '../../src/local/engine/pki';
import type { TestEngine } from './engine';

/** Namespace of the platform. */
const NAMESPACE = 'kubevirt';

/** Manifests of a platform for one node, as `examples/platform` writes them: the definitions first. */
export function platformManifests(images: PlatformImages): { definitions: object[]; platform: object[] } {
  const app = new App();
  const definitions = new Chart(app, 'definitions', { disableResourceNameHashes: true });
  new PlatformDefinitions(definitions, 'definitions');
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  new VirtPlatform(platform, 'platform', {
    definitions: false,
    nodes: 1,
    images,
    // /dev/kvm is missing, or cannot run guests, on many machines that run the tests
    configuration: { useEmulation: true },
    runtimeDirectories: [],
  });
  return { definitions: definitions.toJson() as object[], platform: platform.toJson() as object[] };
}

/**
 * The work of virt-operator, whose program does not exist yet, with its permissions: issues the certificates, and fills
 * the objects that the manifests create empty.
 */
export class StandInOperator {
  public constructor(private readonly engine: TestEngine) {}

  public async fillCredentials(): Promise<void> {
    const dir = mkdtempSync(join(tmpdir(), 'virt8s-platform-ca-'));
    try {
      const authority = await Authority.open(dir, 'platform-ca');
      await this.fillSecrets(authority);
      await this.registerAuthority(Buffer.from(authority.cert).toString('base64'));
      await this.copyRequestHeader();
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  private async fillSecrets(authority: Authority): Promise<void> {
    const hosts = (service: string): string[] => [service, `${service}.${NAMESPACE}.svc`];
    const leaves = {
      [operatorSecrets.virtApi]: authority.issue({ commonName: 'virt-api', hosts: hosts('virt-api') }),
      [operatorSecrets.handlerClient]: authority.issue({ commonName: certificateNames.handlerClient }),
      [operatorSecrets.handlerServer]: authority.issue({
        commonName: certificateNames.handlerServer,
        hosts: ['virt-handler'],
      }),
      [operatorSecrets.uploadProxy]: authority.issue({
        commonName: UPLOAD_PROXY_SERVICE,
        hosts: hosts(UPLOAD_PROXY_SERVICE),
      }),
      [operatorSecrets.uploadClient]: authority.issue({ commonName: certificateNames.uploadClient }),
    };
    for (const [name, issued] of Object.entries(leaves)) {
      const { cert, key }: KeyPair = await issued;
      const data = base64({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert });
      await this.patch('merge', { data }, 'secret', name, '-n', NAMESPACE);
    }
  }

  private async registerAuthority(caBundle: string): Promise<void> {
    for (const [kind, name] of [
      ['mutatingwebhookconfiguration', 'virt-api-mutator'],
      ['validatingwebhookconfiguration', 'virt-api-validator'],
    ] as const) {
      const { webhooks } = JSON.parse(await this.kubectl('get', kind, name, '-o', 'json')) as { webhooks: object[] };
      const path = (i: number): string => `/webhooks/${i}/clientConfig/caBundle`;
      const patches = webhooks.map((_, i) => ({ op: 'add', path: path(i), value: caBundle }));
      await this.patch('json', patches, kind, name);
    }
    const services = virtOperatorAccess().grants.find(({ resources }) => resources.includes('apiservices'))!.names!;
    for (const name of services) await this.patch('merge', { spec: { caBundle } }, 'apiservice', name);
  }

  private async copyRequestHeader(): Promise<void> {
    const name = 'extension-apiserver-authentication';
    const { data } = JSON.parse(await this.kubectl('get', 'configmap', name, '-n', 'kube-system', '-o', 'json'));
    const copy = {
      'client-ca.crt': data['requestheader-client-ca-file'],
      'allowed-names': (JSON.parse(data['requestheader-allowed-names']) as string[]).join(','),
    };
    await this.patch('merge', { data: copy }, 'configmap', operatorConfigMaps.requestHeader, '-n', NAMESPACE);
  }

  private patch(type: 'merge' | 'json', patch: object, ...args: string[]): Promise<string> {
    return this.kubectl('patch', '--type', type, '-p', JSON.stringify(patch), ...args);
  }

  private kubectl(...args: string[]): Promise<string> {
    return this.engine.kubectl(...args, '--as', `system:serviceaccount:${NAMESPACE}:kubevirt-operator`);
  }
}

const base64 = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

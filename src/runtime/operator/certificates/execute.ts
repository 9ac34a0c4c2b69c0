import type { KubeVirt } from '../../../api';
import { platformCertificates } from '../../../api/install/certificates';
import { OperatorReason } from '../../../api/reasons';
import { resources } from '../../kube';
import type { Context } from '../context';
import { MANAGED } from '../customize/managed';
import { factsOf } from './facts';
import { keepCertificates, type Certificates, type SecretStore } from './keeper';
import { pairIn, type Secret } from './secrets';

/** Creates and renews the certificates; undefined if another program issues them. */
export async function syncCertificates(context: Context, kubeVirt: KubeVirt): Promise<Certificates | undefined> {
  const { settings, recorder, log } = context;
  if (!settings.issuesCertificates) return undefined;
  const result = await keepCertificates(kubeVirt.spec?.certificateRotateStrategy?.selfSigned, {
    ...{
      namespace: settings.namespace,
      importer: settings.importer,
      store: storeOf(context),
      now: () => context.now(),
    },
  });
  for (const change of result.changes) {
    log.info({ change }, 'certificates');
    recorder.normal(kubeVirt, OperatorReason.CertificateRenewed, change);
  }
  return result;
}

/** Whether each program has a certificate: their issuer may still be at work. */
export function hasCertificates({ settings: { namespace, importer }, writer }: Context): boolean {
  return platformCertificates(namespace, importer).every(({ secret }) => {
    const found = writer.find(named(namespace, secret)) as Secret | undefined;
    return factsOf(pairIn(found)) !== undefined;
  });
}

function storeOf({ client, settings: { namespace }, writer }: Context): SecretStore {
  const find = (name: string): Secret | undefined => writer.find(named(namespace, name)) as Secret | undefined;
  return {
    find,
    write: async (name, data) => {
      const { metadata } = named(namespace, name);
      const resourceVersion = find(name)?.metadata.resourceVersion;
      const write =
        resourceVersion === undefined
          ? client.create(resources.secrets, { ...named(namespace, name), type: 'Opaque', data: present(data) })
          : client.patch(
              resources.secrets,
              { namespace, name },
              { metadata: { ...metadata, resourceVersion }, data },
              'merge',
            );
      writer.note(await write);
    },
  };
}

const named = (namespace: string, name: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: { 'kubevirt.io': '', ...MANAGED } },
});

const present = (data: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null));

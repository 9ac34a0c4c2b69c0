import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { operatorSecrets, platformCertificates } from '../../api/install/certificates';
import type { PlatformCertificates } from './certificates';
import { objectOf, PLATFORM_LABELS } from './objects';

/** Issuers of the platform's keys and certificates. No manifest contains a key. */
export class PlatformCredentials extends Construct {
  /** @internal */
  public static _make(
    scope: Construct,
    id: string,
    installation: { namespace: string; importer: boolean },
    certificates: PlatformCertificates,
  ): PlatformCredentials {
    return new PlatformCredentials(scope, id, installation, certificates);
  }

  /** Names of the Secrets with the keys and certificates. */
  public readonly secretNames: string[];
  /**
   * Annotations that let cert-manager configure the authority in the API server; undefined if virt-operator does so.
   */
  public readonly injection?: { readonly [name: string]: string };

  private constructor(
    scope: Construct,
    id: string,
    { namespace, importer }: { namespace: string; importer: boolean },
    certificates: PlatformCertificates,
  ) {
    super(scope, id);
    const leaves = platformCertificates(namespace, importer);
    this.secretNames = [operatorSecrets.authority, ...leaves.map(({ secret }) => secret)];
    const metadata = (name: string): { name: string; namespace: string; labels: { [label: string]: string } } => ({
      name,
      namespace,
      labels: { ...PLATFORM_LABELS },
    });
    // lets virt-operator read how the API server authenticates itself
    objectOf(this, 'RequestHeaderReader', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { ...metadata('kubevirt-operator-authentication-reader'), namespace: 'kube-system' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Role',
        name: 'extension-apiserver-authentication-reader',
      },
      subjects: [{ kind: 'ServiceAccount', name: 'kubevirt-operator', namespace }],
    });
    const lifetime = certificates._certManager();
    // virt-operator creates the Secrets
    if (!lifetime) return;
    this.injection = { 'cert-manager.io/inject-ca-from': `${namespace}/${operatorSecrets.virtApi}` };
    const made = (kind: string, name: string, spec: object): ApiObject =>
      objectOf(this, `${kind}-${name}`, { apiVersion: 'cert-manager.io/v1', kind, metadata: metadata(name), spec });
    const certificate = (name: string, issuer: string, spec: object): ApiObject =>
      made('Certificate', name, {
        secretName: name,
        issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: issuer },
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        ...spec,
      });
    const hours = (lasts: Duration): string => `${lasts.toHours({ integral: false })}h`;
    made('Issuer', 'kubevirt-self-signed', { selfSigned: {} });
    certificate(operatorSecrets.authority, 'kubevirt-self-signed', {
      isCA: true,
      commonName: 'kubevirt-ca',
      usages: ['cert sign', 'crl sign', 'digital signature'],
      duration: '87600h',
    });
    made('Issuer', operatorSecrets.authority, { ca: { secretName: operatorSecrets.authority } });
    for (const { secret, commonName, hosts } of leaves) {
      certificate(secret, operatorSecrets.authority, {
        commonName,
        usages: ['digital signature', hosts.length > 0 ? 'server auth' : 'client auth'],
        duration: hours(lifetime.duration),
        renewBefore: hours(lifetime.renewBefore),
        ...(hosts.length > 0 ? { dnsNames: [...hosts] } : {}),
      });
    }
  }
}

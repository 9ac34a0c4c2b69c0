import type { Loose } from '../fixtures';
import { object, together } from './worlds';

const CDI = 'cdi.kubevirt.io/v1beta1';
const namespace = { namespace: 'default' };
const named = (apiVersion: string, kind: string, name: string, more: Loose = {}): Loose => ({
  ...object(apiVersion, kind, name, undefined, namespace),
  ...more,
});
const dataVolume = (source: Loose): Loose => object(CDI, 'DataVolume', 'd', { source }, namespace);
const secret = (stringData: Loose): Loose => named('v1', 'Secret', 's', { stringData });
const configMap = (data?: Loose): Loose => named('v1', 'ConfigMap', 'c', { data });
const url = 'https://a.example/b.iso';
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const trusting = dataVolume({ http: { url, certConfigMap: 'c' } });
const withHeaders = dataVolume({ http: { url, secretExtraHeaders: ['s'] } });
const gcs = dataVolume({ gcs: { url: 'gs://a/b', secretRef: 's' } });
const claim = (name: string): Loose => named('v1', 'PersistentVolumeClaim', name);
const source = (kind: string, name: string): Loose => ({ source: { apiGroup: '', kind, name } });
const dataSource = (name: string): Loose =>
  object(CDI, 'DataSource', name, { source: { pvc: { name: 'image' } } }, namespace);
const copyOf = (name: string): Loose =>
  object(CDI, 'DataVolume', 'd', { sourceRef: { kind: 'DataSource', name } }, namespace);
const snapshot = (deletionPolicy: string): Loose =>
  object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', 'x', { deletionPolicy }, namespace);
const clone = (labelFilters: string[]): Loose =>
  object('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', 'x', { labelFilters }, namespace);
const EXPORT = 'export.kubevirt.io/v1';

test.each<[string, Loose[], string[]]>([
  ['accepts a certificate', [configMap({ 'ca.crt': pem }), trusting], []],
  ['accepts a ConfigMap that another program fills', [configMap(), trusting], []],
  [
    'reports a ConfigMap without a certificate',
    [configMap({ 'ca.crt': '/etc/ssl/ca.crt' }), trusting],
    ['certificate-content spec.source.http.certConfigMap'],
  ],
  ['accepts a header in a Secret', [secret({ a: 'Authorization: Bearer x' }), withHeaders], []],
  [
    'reports a value without the name of the header',
    [secret({ Authorization: 'Bearer x' }), withHeaders],
    ['source-header spec.source.http.secretExtraHeaders[0]'],
  ],
  ['accepts the key of a service account', [secret({ 'credentials.json': '{}' }), gcs], []],
  [
    'reports user and password for Google Cloud Storage',
    [secret({ accessKeyId: 'u', secretKey: 'p' }), gcs],
    ['credentials-keys spec.source.gcs.secretRef'],
  ],
  [
    'reports the misspelt claim of an export',
    [
      claim('customer-data'),
      object(EXPORT, 'VirtualMachineExport', 'e', source('PersistentVolumeClaim', 'costumer-data'), namespace),
    ],
    ['reference-name spec.source.name'],
  ],
  [
    'reports the misspelt claim of a backup',
    [
      claim('backup-target'),
      object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackup', 'b', { pvcName: 'backup-taget' }, namespace),
    ],
    ['reference-name spec.pvcName'],
  ],
  ['reports a DataSource with a short name', [dataSource('rhel'), copyOf('rhl')], ['reference-name spec.sourceRef']],
  ['accepts another letter in a short name', [dataSource('base'), copyOf('bare')], []],
  ['accepts a name of three letters', [dataSource('web'), copyOf('wb')], []],
  ['accepts a short claim', [claim('prod'), dataVolume({ pvc: { name: 'prd', namespace: 'default' } })], []],
  ['accepts a policy', [snapshot('Retain')], []],
  ['reports another policy', [snapshot('retain')], ['deletion-policy spec.deletionPolicy']],
  ['accepts filters', [clone(['*', '!team', 'app.*', 'a(b|c)', '(?i)x'])], []],
  ['reports an open bracket', [clone(['team-[a-z'])], ['clone-filter spec.labelFilters[0]']],
  ['reports an open bracket of an exclusion', [clone(['!team-('])], ['clone-filter spec.labelFilters[0]']],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

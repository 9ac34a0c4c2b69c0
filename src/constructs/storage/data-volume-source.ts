import type { DataVolumeSpec, DataVolumeSource as SourceSpec } from '../../api/generated/cdi-v1beta1';
import type { TypedObjectReference } from '../../api/generated/core-v1';
import { defined } from '../defined';
import type { IDataSource } from '../references';
import type { INamedObject } from '../resource';
import { PullMethod } from './claim-choices';
import { CLAIMS, namespaceOf, nameOf } from './reference';
import type {
  CloneOptions,
  GcsSourceOptions,
  HttpSourceOptions,
  ImageioSourceOptions,
  PopulatorReference,
  RegistrySourceOptions,
  S3SourceOptions,
  VddkSourceOptions,
} from './source-options';

/** Who fills the claim, and with what. */
type Filling = Pick<DataVolumeSpec, 'source' | 'sourceRef'> & { readonly dataSourceRef?: TypedObjectReference };

/**
 * What a claim is filled with: shared by {@link DataVolume}, {@link DataImportCron} and the disks of a VM. Objects are
 * taken by their names; one that tells another kind than is needed is refused.
 */
export class DataVolumeSource {
  /**
   * Nothing: an empty disk.
   *
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.blank(),
   *   size: Size.gibibytes(20),
   * });
   */
  public static blank(): DataVolumeSource {
    return DataVolumeSource.of({ blank: {} });
  }

  /**
   * A file on an HTTP server: qcow2, raw or another image, maybe compressed; `https://host/disk.qcow2`.
   *
   * @param url address of the file, such as `https://images.example/disk.qcow2`
   * @param options credentials, checksum and trust
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.http('https://images.example/fedora.qcow2'),
   *   size: Size.gibibytes(20),
   * });
   */
  public static http(url: string, options: HttpSourceOptions = {}): DataVolumeSource {
    const { checksum, extraHeaders, secretHeaders, insecureSkipVerify } = options;
    return DataVolumeSource.of({
      http: defined({
        url,
        checksum,
        secretRef: secretOf(options.credentials),
        certConfigMap: configMapOf(options.certConfigMap),
        extraHeaders: extraHeaders && [...extraHeaders],
        secretExtraHeaders: secretHeaders?.map((secret) => secretOf(secret)),
        insecureSkipVerify,
      }),
    });
  }

  /**
   * A file in S3, by its URL: `https://s3.example.com/bucket/disk.qcow2`.
   *
   * @param url address of the file, such as `https://s3.example.com/images/disk.qcow2`
   * @param options credentials and trust
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.s3('https://s3.example.com/images/fedora.qcow2', {
   *     credentials: { name: 's3-credentials' },
   *   }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static s3(url: string, options: S3SourceOptions = {}): DataVolumeSource {
    const { credentials, certConfigMap } = options;
    return DataVolumeSource.of({
      s3: defined({ url, secretRef: secretOf(credentials), certConfigMap: configMapOf(certConfigMap) }),
    });
  }

  /**
   * A file in Google Cloud Storage: `gs://bucket/disk.qcow2`, or its HTTPS form.
   *
   * @param url address of the file, such as `gs://images/disk.qcow2`
   * @param options credentials
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.gcs('gs://images/fedora.qcow2', { credentials: { name: 'gcs-credentials' } }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static gcs(url: string, options: GcsSourceOptions = {}): DataVolumeSource {
    return DataVolumeSource.of({ gcs: defined({ url, secretRef: secretOf(options.credentials) }) });
  }

  /**
   * A container disk: `docker://IMAGE` or `oci-archive://IMAGE`; a plain image reference means `docker://`.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param options credentials and how the image is pulled
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.registry('quay.io/containerdisks/fedora:42'),
   *   size: Size.gibibytes(20),
   * });
   */
  public static registry(image: string, options: RegistrySourceOptions = {}): DataVolumeSource {
    const url = image.includes('://') ? image : `docker://${image}`;
    return DataVolumeSource.of({ registry: defined({ url, ...registryFields(options) }) });
  }

  /**
   * An image stream of OpenShift, in the namespace of the claim.
   *
   * @param stream name of the image stream
   * @param options credentials and how the image is pulled
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.imageStream('fedora'),
   *   size: Size.gibibytes(20),
   * });
   */
  public static imageStream(stream: string, options: RegistrySourceOptions = {}): DataVolumeSource {
    const { pullMethod = PullMethod.NODE } = options;
    return DataVolumeSource.of({
      registry: defined({ imageStream: stream, ...registryFields({ ...options, pullMethod }) }),
    });
  }

  /**
   * A disk of oVirt, by the URL of its engine.
   *
   * @param url address of the API of oVirt
   * @param options disk, credentials and trust
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.imageio('https://ovirt.example/ovirt-engine/api', {
   *     diskId: '3f2b4c1e-7c8e-4b1a-9d3e-000000000001',
   *     credentials: { name: 'ovirt-credentials' },
   *     certConfigMap: { name: 'ovirt-ca' },
   *   }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static imageio(url: string, options: ImageioSourceOptions): DataVolumeSource {
    const { diskId, credentials, certConfigMap, insecureSkipVerify } = options;
    return DataVolumeSource.of({
      imageio: defined({
        url,
        diskId,
        secretRef: secretOf(credentials),
        certConfigMap: configMapOf(certConfigMap),
        insecureSkipVerify,
      }),
    });
  }

  /**
   * A disk of VMware, by the URL of its vCenter or ESXi host.
   *
   * @param url address of vCenter or ESXi
   * @param options disk, credentials and image of the VDDK
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.vddk('https://vcenter.example', {
   *     backingFile: '[store] web/web.vmdk',
   *     uuid: '52260566-b032-36cb-55b1-79bf29e30490',
   *     thumbprint: '20:6C:8A:5D:44:40:B3:79:4B:28:EA:76:13:60:90:6E:49:D9:D9:A3',
   *     credentials: { name: 'vcenter-credentials' },
   *   }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static vddk(url: string, options: VddkSourceOptions): DataVolumeSource {
    const { backingFile, uuid, thumbprint, credentials, initImageUrl, extraArgs, certConfigMap } = options;
    return DataVolumeSource.of({
      vddk: defined({
        url,
        backingFile,
        uuid,
        thumbprint,
        secretRef: secretOf(credentials),
        initImageURL: initImageUrl,
        extraArgs: configMapOf(extraArgs),
        certConfigMap: configMapOf(certConfigMap),
      }),
    });
  }

  /**
   * What a client sends, such as `virtctl image-upload`.
   *
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.upload(),
   *   size: Size.gibibytes(20),
   * });
   */
  public static upload(): DataVolumeSource {
    return DataVolumeSource.of({ upload: {} });
  }

  /**
   * Another claim, or the claim of a DataVolume. It must not be in use while it is copied.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @param options namespace, where it is another one
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.claim({ name: 'golden' }, { namespace: 'images' }),
   * });
   */
  public static claim(claim: INamedObject, options: CloneOptions = {}): DataVolumeSource {
    const remedy = 'copy a snapshot by snapshot(), what a DataSource points at by dataSource()';
    const name = nameOf('DataVolumeSource.claim', claim, CLAIMS, remedy);
    const known = options.namespace ?? namespaceOf(claim);
    return new DataVolumeSource((namespace) => ({ source: { pvc: located(name, known ?? namespace) } }));
  }

  /**
   * A VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @param options namespace, where it is another one
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.snapshot({ name: 'golden' }, { namespace: 'images' }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static snapshot(snapshot: INamedObject, options: CloneOptions = {}): DataVolumeSource {
    const remedy = 'copy a claim by claim()';
    const name = nameOf('DataVolumeSource.snapshot', snapshot, ['VolumeSnapshot'], remedy);
    const known = options.namespace ?? namespaceOf(snapshot);
    return new DataVolumeSource((namespace) => ({ source: { snapshot: located(name, known ?? namespace) } }));
  }

  /**
   * The image that a DataSource points at when the claim is made.
   *
   * @param dataSource DataSource
   * @param options namespace, where it is another one
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.dataSource({ name: 'fedora' }, { namespace: 'images' }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static dataSource(dataSource: IDataSource, options: CloneOptions = {}): DataVolumeSource {
    const name = nameOf('DataVolumeSource.dataSource', dataSource, ['DataSource'], 'copy a claim by claim()');
    const namespace = options.namespace ?? namespaceOf(dataSource);
    return new DataVolumeSource(() => ({ sourceRef: defined({ kind: 'DataSource', name, namespace }) }));
  }

  /**
   * Whatever an object fills it with (`dataSourceRef` of the claim): a {@link VolumeImportSource} and its like, or an
   * object of another controller.
   *
   * @param reference kind and name of the source object
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.populator({ apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'fedora' }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static populator(reference: PopulatorReference): DataVolumeSource {
    const { kind, name, namespace } = reference;
    const apiGroup = reference.apiGroup ?? groupOf(reference);
    return new DataVolumeSource(() => ({ dataSourceRef: defined({ apiGroup, kind, name, namespace }) }));
  }

  /**
   * Any source, as the API writes it: `DataVolumeSource.of({ http: { url: '…' } })`.
   *
   * @param source source as the API writes it
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.of({ http: { url: 'https://images.example/fedora.qcow2' } }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static of(source: { readonly [source: string]: unknown }): DataVolumeSource {
    return new DataVolumeSource(() => ({ source: source as SourceSpec }));
  }

  private constructor(private readonly filling: (namespace: string | undefined) => Filling) {}

  /**
   * Who fills a claim of this namespace, and with what.
   *
   * @internal
   */
  public _render(namespace: string | undefined): Filling {
    return this.filling(namespace);
  }
}

/** Group of an object that is a construct, which tells its version. */
function groupOf(object: PopulatorReference): string | undefined {
  const { apiVersion } = object as { readonly apiVersion?: unknown };
  return typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/')[0] : undefined;
}

type Located = { name: string; namespace: string };

// the API wants a namespace; its rules tell what to do when nobody knows it
const located = (name: string, namespace: string | undefined): Located => defined({ name, namespace }) as Located;

function registryFields(options: RegistrySourceOptions): SourceSpec['registry'] {
  const { pullMethod, credentials, certConfigMap, architecture } = options;
  return {
    pullMethod: pullMethod?.value as 'pod' | undefined,
    secretRef: secretOf(credentials),
    certConfigMap: configMapOf(certConfigMap),
    platform: architecture === undefined ? undefined : { architecture },
  };
}

function secretOf(secret: INamedObject): string;
function secretOf(secret: INamedObject | undefined): string | undefined;
function secretOf(secret: INamedObject | undefined): string | undefined {
  return secret && nameOf('DataVolumeSource', secret, ['Secret'], 'put credentials into a Secret');
}

const configMapOf = (configMap: INamedObject | undefined): string | undefined =>
  configMap && nameOf('DataVolumeSource', configMap, ['ConfigMap'], 'put it into a ConfigMap');

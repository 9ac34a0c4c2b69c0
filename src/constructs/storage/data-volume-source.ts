import type { DataVolumeSpec, DataVolumeSource as SourceSpec } from '../../api/generated/cdi-v1beta1';
import type { TypedObjectReference } from '../../api/generated/core-v1';
import { groupOf } from '../../api/kinds/registry';
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

/** Source fields of a DataVolume and of its claim. */
type Filling = Pick<DataVolumeSpec, 'source' | 'sourceRef'> & { readonly dataSourceRef?: TypedObjectReference };

/**
 * Source of the data in a claim, for {@link DataVolume}, {@link DataImportCron} and the disks of a VM.
 *
 * Objects are referred to by name. An object of another kind is rejected.
 */
export class DataVolumeSource {
  /**
   * Creates an empty disk.
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
   * Imports a file from an HTTP server: a qcow2, raw or other disk image, which may be compressed, such as
   * `https://host/disk.qcow2`.
   *
   * @param url address of the file, such as `https://images.example/disk.qcow2`
   * @param options credentials, checksum and trusted certificates
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
   * Imports a file from S3, by its URL: `https://s3.example.com/bucket/disk.qcow2`.
   *
   * @param url address of the file, such as `https://s3.example.com/images/disk.qcow2`
   * @param options credentials and trusted certificates
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
   * Imports a file from Google Cloud Storage: `gs://bucket/disk.qcow2`, or its HTTPS form.
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
   * Imports a container disk: `docker://IMAGE`, or `oci-archive://HOST/PATH` for an archive on a web server. A plain image
   * reference means `docker://`.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param options credentials, and options for pulling the image
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
   * Imports from an image stream of OpenShift in the namespace of the claim.
   *
   * @param stream name of the image stream
   * @param options credentials, and options for pulling the image
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
   * Imports a disk from oVirt, by the URL of its engine.
   *
   * @param url address of the API of oVirt
   * @param options disk, credentials and trusted certificates
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
   * Imports a disk from VMware, by the URL of its vCenter or ESXi host.
   *
   * @param url address of vCenter or ESXi
   * @param options disk, credentials, and the image with the VDDK library
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
   * Waits for an upload by a client, such as `virtctl image-upload`.
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
   * Copies another claim, or the claim of a DataVolume. The claim must not be in use during the copy.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @param options namespace of the object, if it differs from that of the claim
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.claim({ name: 'golden' }, { namespace: 'images' }),
   * });
   */
  public static claim(claim: INamedObject, options: CloneOptions = {}): DataVolumeSource {
    const remedy = 'use DataVolumeSource.snapshot for a snapshot, DataVolumeSource.dataSource for a DataSource';
    const name = nameOf('DataVolumeSource.claim', claim, CLAIMS, remedy);
    const known = options.namespace ?? namespaceOf(claim);
    return new DataVolumeSource((namespace) => ({ source: { pvc: located(name, known ?? namespace) } }));
  }

  /**
   * Copies a VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @param options namespace of the object, if it differs from that of the claim
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.snapshot({ name: 'golden' }, { namespace: 'images' }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static snapshot(snapshot: INamedObject, options: CloneOptions = {}): DataVolumeSource {
    const remedy = 'use DataVolumeSource.claim for a claim';
    const name = nameOf('DataVolumeSource.snapshot', snapshot, ['VolumeSnapshot'], remedy);
    const known = options.namespace ?? namespaceOf(snapshot);
    return new DataVolumeSource((namespace) => ({ source: { snapshot: located(name, known ?? namespace) } }));
  }

  /**
   * Copies the image that a DataSource refers to when the claim is created.
   *
   * @param dataSource DataSource
   * @param options namespace of the object, if it differs from that of the claim
   * @example
   * new DataVolume(chart, 'image', {
   *   source: DataVolumeSource.dataSource({ name: 'fedora' }, { namespace: 'images' }),
   *   size: Size.gibibytes(20),
   * });
   */
  public static dataSource(dataSource: IDataSource, options: CloneOptions = {}): DataVolumeSource {
    const name = nameOf(
      'DataVolumeSource.dataSource',
      dataSource,
      ['DataSource'],
      'use DataVolumeSource.claim for a claim',
    );
    const namespace = options.namespace ?? namespaceOf(dataSource);
    return new DataVolumeSource(() => ({ sourceRef: defined({ kind: 'DataSource', name, namespace }) }));
  }

  /**
   * Has another object fill the claim (`dataSourceRef`), such as a {@link VolumeImportSource}, or an object of another
   * controller.
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
    const apiGroup = reference.apiGroup ?? groupOfObject(reference);
    return new DataVolumeSource(() => ({ dataSourceRef: defined({ apiGroup, kind, name, namespace }) }));
  }

  /**
   * Uses any source as the API writes it: `DataVolumeSource.of({ http: { url: '…' } })`.
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
   * Renders the source fields for a claim of this namespace.
   *
   * @internal
   */
  public _render(namespace: string | undefined): Filling {
    return this.filling(namespace);
  }
}

/** Returns the API group of an object that is a construct and so has an `apiVersion`. */
const groupOfObject = (object: PopulatorReference): string | undefined =>
  groupOf((object as { readonly apiVersion?: unknown }).apiVersion) || undefined;

type Located = { name: string; namespace: string };

// the API requires a namespace; if it is unknown, a rule reports it with a remedy
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
  return secret && nameOf('DataVolumeSource', secret, ['Secret'], 'put the credentials into a Secret');
}

const configMapOf = (configMap: INamedObject | undefined): string | undefined =>
  configMap && nameOf('DataVolumeSource', configMap, ['ConfigMap'], 'put the data into a ConfigMap');

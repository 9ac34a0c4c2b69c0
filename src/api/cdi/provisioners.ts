/** Capabilities of the volumes of common provisioners. CDI has such a table, too (pkg/storagecapabilities). Pure. */
import type { ClaimPropertySet, StorageProfileStatus } from '../generated/cdi-v1beta1';
import { keys } from '../keys';

export interface Capabilities {
  /** The preferred set first. */
  readonly claimPropertySets: ClaimPropertySet[];
  readonly cloneStrategy: NonNullable<StorageProfileStatus['cloneStrategy']>;
}

type AccessMode = ClaimPropertySet['accessModes'][number];

const set = (volumeMode: 'Block' | 'Filesystem', ...accessModes: AccessMode[]): ClaimPropertySet => ({
  accessModes,
  volumeMode,
});

const localFiles = [set('Filesystem', 'ReadWriteOnce')];
const sharedFiles = [set('Filesystem', 'ReadWriteMany')];
const oneNode = [set('Block', 'ReadWriteOnce'), set('Filesystem', 'ReadWriteOnce')];
const sharedBlock = [set('Block', 'ReadWriteMany'), set('Block', 'ReadWriteOnce'), set('Filesystem', 'ReadWriteOnce')];

const TABLE: Readonly<Record<string, Capabilities>> = {
  [keys.localProvisioner]: {
    claimPropertySets: [set('Filesystem', 'ReadWriteOnce'), set('Block', 'ReadWriteOnce')],
    cloneStrategy: 'csi-clone',
  },
  'kubernetes.io/no-provisioner': { claimPropertySets: oneNode, cloneStrategy: 'copy' },
  'rancher.io/local-path': { claimPropertySets: localFiles, cloneStrategy: 'copy' },
  'k8s.io/minikube-hostpath': { claimPropertySets: localFiles, cloneStrategy: 'copy' },
  'microk8s.io/hostpath': { claimPropertySets: localFiles, cloneStrategy: 'copy' },
  [keys.oldHostPathProvisioner]: { claimPropertySets: localFiles, cloneStrategy: 'copy' },
  [keys.hostPathProvisioner]: { claimPropertySets: localFiles, cloneStrategy: 'copy' },
  'hostpath.csi.k8s.io': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'rook-ceph.rbd.csi.ceph.com': { claimPropertySets: sharedBlock, cloneStrategy: 'csi-clone' },
  'rbd.csi.ceph.com': { claimPropertySets: sharedBlock, cloneStrategy: 'csi-clone' },
  'rook-ceph.cephfs.csi.ceph.com': { claimPropertySets: sharedFiles, cloneStrategy: 'csi-clone' },
  'cephfs.csi.ceph.com': { claimPropertySets: sharedFiles, cloneStrategy: 'csi-clone' },
  'nfs.csi.k8s.io': { claimPropertySets: sharedFiles, cloneStrategy: 'csi-clone' },
  'topolvm.io': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'topolvm.cybozu.com': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'local.csi.openebs.io': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'zfs.csi.openebs.io': { claimPropertySets: oneNode, cloneStrategy: 'csi-clone' },
  'io.openebs.csi-mayastor': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'driver.longhorn.io': { claimPropertySets: sharedBlock, cloneStrategy: 'csi-clone' },
  'linstor.csi.linbit.com': { claimPropertySets: sharedBlock, cloneStrategy: 'snapshot' },
  'ebs.csi.aws.com': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'efs.csi.aws.com': { claimPropertySets: sharedFiles, cloneStrategy: 'copy' },
  'pd.csi.storage.gke.io': { claimPropertySets: oneNode, cloneStrategy: 'csi-clone' },
  'disk.csi.azure.com': { claimPropertySets: oneNode, cloneStrategy: 'csi-clone' },
  'file.csi.azure.com': { claimPropertySets: sharedFiles, cloneStrategy: 'copy' },
  'csi.vsphere.vmware.com': { claimPropertySets: oneNode, cloneStrategy: 'snapshot' },
  'csi.trident.netapp.io': { claimPropertySets: sharedBlock, cloneStrategy: 'csi-clone' },
  'pxd.portworx.com': { claimPropertySets: oneNode, cloneStrategy: 'csi-clone' },
};

/** Capabilities of a provisioner; undefined for one that is not known. */
export const capabilitiesOf = (provisioner: string): Capabilities | undefined =>
  Object.hasOwn(TABLE, provisioner) ? TABLE[provisioner] : undefined;

# Shared by the guest builds: where packages come from, and how a disk becomes an OCI container disk.
# Reproducible: the same packages give the same bytes (fixed times, serials and ids).
set -eu
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-1735689600}"
export LC_ALL=C TZ=UTC

# The Debian mirror that this machine uses.
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
    awk '$2 !~ /security|updates|backports/ && $1 ~ /debian\/?$/ { sub(/\/?$/, "/", $1); print $1; exit }'
}

# extract DIR PACKAGE,PACKAGE: unpack packages of trixie with what they depend on; nothing of them is run.
extract() {
  mmdebstrap --quiet --variant=extract --include="$2" trixie "$1" "deb $(mirror) trixie main"
}

# container_disk DISK.qcow2 OUT.tar REF: an OCI archive whose only file is /disk/disk.qcow2, owned by QEMU's user.
container_disk() {
  layout=$(mktemp -d)
  mkdir -p "$layout/root/disk"
  cp --sparse=always "$1" "$layout/root/disk/disk.qcow2"
  chmod 0755 "$layout/root" "$layout/root/disk"
  chmod 0440 "$layout/root/disk/disk.qcow2"
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=107 --group=107 --numeric-owner --format=pax \
    --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime -C "$layout/root" -cf "$layout/layer.tar" disk
  umoci init --layout "$layout/oci"
  umoci new --image "$layout/oci:latest"
  umoci raw add-layer --image "$layout/oci:latest" --history.created "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" "$layout/layer.tar"
  umoci config --image "$layout/oci:latest" --created "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" --no-history
  umoci gc --layout "$layout/oci"
  rm -f "$2"
  skopeo copy --quiet "oci:$layout/oci:latest" "oci-archive:$2:$3"
  rm -rf "$layout"
}

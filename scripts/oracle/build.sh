#!/bin/sh
# Builds Kubernetes' own CustomResourceDefinition server, its merge code and etcd from Debian packages alone: the oracle
# that scripts/oracle/compare.ts asks. Also keeps the sources that scripts/generate-builtin-schema.ts reads.
# The result is cached under ${VIRT8S_CACHE:-~/.cache/virt8s}/oracle and is never committed.
# Needs root, mmdebstrap, 3 GB below ${TMPDIR:-/tmp} while it builds, and about 5 minutes.
set -eu
out="${VIRT8S_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/virt8s}/oracle"
. "$(dirname "$0")/../../guests/lib/common.sh"
mirror=$(mirror)
here=$(cd "$(dirname "$0")" && pwd)
if [ -x "$out/apiextensions-apiserver" ] && [ -x "$out/etcd" ] && [ -x "$out/merge" ] && [ -d "$out/gocode" ]; then
  echo "oracle: already built in $out"
  exit 0
fi
command -v mmdebstrap >/dev/null || { echo "oracle: mmdebstrap is missing; apt-get install mmdebstrap" >&2; exit 1; }
mkdir -p "$out"
root=$(mktemp -d "${TMPDIR:-/tmp}/virt8s-oracle.XXXXXX")
trap 'rm -rf "$root"' EXIT
# sid's Release file may be past its Valid-Until date on a snapshot mirror.
nice mmdebstrap --variant=apt --mode=root --aptopt='Acquire::Check-Valid-Until "false"' \
  --include=golang-go,golang-k8s-apiextensions-apiserver-dev,golang-k8s-client-go-dev,etcd-server,ca-certificates \
  sid "$root/sid" "$mirror"
cp -r "$here/merge" "$root/sid/merge"
# go needs /proc; the mount lives only as long as the build.
nice unshare --mount sh -c "mount -t proc proc '$root/sid/proc' && exec chroot '$root/sid' sh -c '
  export GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-buildvcs=false HOME=/root
  cd /usr/share/gocode/src/k8s.io/apiextensions-apiserver && go build -o /oracle .
  cd /merge && go build -o /merge-oracle main.go'"
# The API types, and the typed schemas that Kubernetes generates from them.
(
  cd "$root/sid/usr/share/gocode/src"
  find k8s.io/api k8s.io/apimachinery/pkg/apis/meta/v1 k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1 \
    \( -name 'types*.go' -o -name 'micro_time.go' -o -name 'time.go' -o -name 'duration.go' -o -name 'labels.go' \) -print
  find k8s.io/client-go/applyconfigurations/internal \
    k8s.io/apiextensions-apiserver/pkg/client/applyconfiguration/internal -name internal.go -print
) > "$root/sources"
mkdir -p "$out/gocode"
tar -C "$root/sid/usr/share/gocode/src" -cf - -T "$root/sources" | tar -C "$out/gocode" -xf -
cp "$root/sid/usr/bin/etcd" "$out/etcd"
cp "$root/sid/merge-oracle" "$out/merge"
cp "$root/sid/oracle" "$out/apiextensions-apiserver"
echo "oracle: built in $out"

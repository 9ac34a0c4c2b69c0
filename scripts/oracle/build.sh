#!/bin/sh
# Builds Kubernetes' own CustomResourceDefinition server (and etcd) from Debian packages alone, as an oracle for the engine.
# The result is cached under ${VIRT8S_CACHE:-~/.cache/virt8s}/oracle and is never committed. Needs root, mmdebstrap, ~3 GB, ~5 minutes.
set -eu
out="${VIRT8S_CACHE:-$HOME/.cache/virt8s}/oracle"
mirror="${VIRT8S_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
if [ -x "$out/apiextensions-apiserver" ] && [ -x "$out/etcd" ]; then
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
# go wants /proc; the mount lives only as long as the build.
nice unshare --mount sh -c "mount -t proc proc '$root/sid/proc' && exec chroot '$root/sid' sh -c '
  cd /usr/share/gocode/src/k8s.io/apiextensions-apiserver &&
  GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-buildvcs=false HOME=/root go build -o /oracle .'"
cp "$root/sid/usr/bin/etcd" "$out/etcd"
# The typed schema of the built-in kinds: input of scripts/generate-builtin-schema.ts.
cp "$root/sid/usr/share/gocode/src/k8s.io/client-go/applyconfigurations/internal/internal.go" "$out/internal.go"
cp "$root/sid/oracle" "$out/apiextensions-apiserver"
echo "oracle: built $out/apiextensions-apiserver"

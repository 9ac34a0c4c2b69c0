import { keys } from '../../api/keys';
import { kinds } from '../../api/kinds/registry';

const { plural, version, group } = kinds.VirtualMachineSnapshot;

/** Label of a schedule's snapshots: name of the schedule. */
export const SCHEDULE_LABEL = keys.snapshotSchedule;
/** Label of a schedule's snapshots: time of the request, in seconds since 1970. */
export const TIME_LABEL = keys.snapshotTime;

/**
 * Script that the Job of a schedule runs: takes a snapshot and deletes outdated ones. It uses a POSIX shell and
 * kubectl, and reads its settings from the environment. The newest restorable snapshot is kept regardless of its age,
 * and a failed snapshot never replaces a usable one.
 */
export const SNAPSHOT_SCRIPT = `set -eu
kind=${plural}.${version}.${group}
now=$(date +%s)

# named after its Job, so that a retry does not take a second snapshot
result=$(kubectl create --validate=false --filename=- 2>&1 <<EOF
apiVersion: snapshot.kubevirt.io/v1beta1
kind: VirtualMachineSnapshot
metadata:
  name: $PREFIX-$(printf %.8s "$JOB")
  namespace: $NAMESPACE
  labels:
    ${SCHEDULE_LABEL}: $SCHEDULE
    ${TIME_LABEL}: "$now"
spec: $SPEC
EOF
) || case $result in
  *AlreadyExists*) ;;
  *) echo "$result" >&2; exit 1 ;;
esac
echo "$result"

all=$(kubectl get "$kind" --namespace="$NAMESPACE" --selector="${SCHEDULE_LABEL}=$SCHEDULE" --output=\\
jsonpath='{range .items[*]}{.metadata.labels.virt8s\\.io/snapshot-time} {.metadata.name} {.status.readyToUse}{"\\n"}{end}')

printf '%s\\n' "$all" | sort -rn | {
  usable=0
  while read -r taken name ready; do
    age=$((now - taken))
    keep=yes
    if test "$ready" = true; then
      usable=$((usable + 1))
      if test "$usable" -gt "$KEEP"; then keep=no; fi
      if test "$usable" -gt 1 && test "$age" -gt "$MAX_AGE"; then keep=no; fi
    # an unusable snapshot that is older than a usable one has failed
    elif test "$usable" -gt 0 || test "$age" -gt "$MAX_AGE"; then
      keep=no
    fi
    if test "$keep" = no; then
      kubectl delete "$kind" "$name" --namespace="$NAMESPACE" --wait=false --ignore-not-found
    fi
  done
}
`;

/** Value for no limit, of an age in seconds or of a number of snapshots. */
export const NO_LIMIT = 9_999_999_999;

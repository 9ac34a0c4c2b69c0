import { keys } from '../../api/keys';
import { kinds } from '../../api/kinds/registry';

const { plural, version, group } = kinds.VirtualMachineSnapshot;

/** On snapshots of a schedule: its name. */
export const SCHEDULE_LABEL = keys.snapshotSchedule;
/** On snapshots of a schedule: when they were asked for, in seconds since 1970. */
export const TIME_LABEL = keys.snapshotTime;

/**
 * What a schedule does each time: takes a snapshot, and deletes those that are out of date. POSIX shell and kubectl; the
 * settings are in its environment. The newest snapshot that can be restored stays whatever its age, and one that failed
 * never takes the place of one that did not.
 */
export const SNAPSHOT_SCRIPT = `set -eu
kind=${plural}.${version}.${group}
now=$(date +%s)

# called by its Job, so that a second try takes no second snapshot
told=$(kubectl create --validate=false --filename=- 2>&1 <<EOF
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
) || case $told in
  *AlreadyExists*) ;;
  *) echo "$told" >&2; exit 1 ;;
esac
echo "$told"

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
    # what is not usable behind one that is, has failed
    elif test "$usable" -gt 0 || test "$age" -gt "$MAX_AGE"; then
      keep=no
    fi
    if test "$keep" = no; then
      kubectl delete "$kind" "$name" --namespace="$NAMESPACE" --wait=false --ignore-not-found
    fi
  done
}
`;

/** Stands for no limit, of age in seconds or of number. */
export const NO_LIMIT = 9_999_999_999;

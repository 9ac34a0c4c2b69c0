/** Finds the container of a process, from its /proc/<pid>/cgroup. Pure. */

/**
 * Directory of a Pod, as the kubelet names it: with cgroupfs `pod<uid>`; with systemd a slice that repeats the names above
 * it and has underscores for the dashes of the UID. A nested kubelet adds a prefix to both.
 */
const POD = /^(?:[a-z0-9_.-]*-)?pod[0-9a-zA-Z_-]+(?:\.slice)?$/;

/** `runc`, if the kubelet uses systemd and containerd does not: Pod and container in one name. */
const POD_AND_CONTAINER = /^(?:[a-z0-9_.-]*-)?pod[0-9a-zA-Z_-]+\.slice:[a-z-]+:([A-Za-z0-9]+)$/;

/** Names that runtimes give a container's own cgroup; that of a monitor (`crio-conmon-<id>.scope`) is not among them. */
const CONTAINER = [
  /^([A-Za-z0-9]+)$/, // cgroupfs: containerd, cri-dockerd, our engine
  /^crio-([A-Za-z0-9]+)$/, // cgroupfs: CRI-O
  /^(?:cri-containerd|crio|docker)-([A-Za-z0-9]+)\.scope$/, // systemd
];

/**
 * Id of the container in a cgroup path: the directory immediately below the outermost Pod. Deeper directories are created by
 * processes in the container, so their names prove nothing.
 */
export function containerOf(path: string): string | undefined {
  const parts = path.split('/');
  for (const [i, part] of parts.entries()) {
    const both = POD_AND_CONTAINER.exec(part);
    if (both) return both[1];
    if (!POD.test(part) || parts[i + 1] === undefined) continue;
    return CONTAINER.map((name) => name.exec(parts[i + 1])?.[1]).find((id) => id !== undefined);
  }
  return undefined;
}

/** `4:memory:/kubepods/…` of version 1, `0::/kubepods.slice/…` of version 2. */
const LINE = /^\d+:[^:]*:(\/.*)$/;

/** Whether the process with this /proc/<pid>/cgroup runs in the container. */
export function isInContainer(cgroupFile: string, containerId: string): boolean {
  return cgroupFile.split('\n').some((line) => containerOf(LINE.exec(line)?.[1] ?? '') === containerId);
}

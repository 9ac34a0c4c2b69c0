import type { Mistake } from './mistakes';

/** Mistakes of raw cloud-init, of values that fail at run time, and between the objects of an app. */
export const runtimeMistakes: readonly Mistake[] = [
  {
    group: 'cloud-init',
    title: 'a tab in raw user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores the document',
    code: `CloudInit.raw('#cloud-config\\npackages:\\n\\t- nginx\\n');`,
    says: `CloudInit.raw: userData: line 3: is indented by a tab
  indent by spaces [cloud-init-syntax]`,
  },
  {
    group: 'cloud-init',
    title: 'an unclosed quote in raw user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores the document',
    code: `CloudInit.raw('#cloud-config\\nhostname: \\'web\\npackages: []\\n');`,
    says: `CloudInit.raw: userData: line 4: lacks a colon, comma, quote or bracket
  close quotes and brackets, and end each key with a colon [cloud-init-syntax]`,
  },
  {
    group: 'cloud-init',
    title: 'a space in the header of user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `CloudInit.raw('# cloud-config\\npackages: [nginx]\\n');`,
    says: `CloudInit.raw: userData: the first line is not one by which cloud-init recognizes the format (allowed: "#cloud-config", "#!", "## template: jinja", "#include", "#include-once", "#cloud-boothook", "#cloud-config-archive", "#cloud-config-jsonp", "#part-handler", "Content-Type: multipart")
  write #cloud-config, without spaces [cloud-init-header]`,
  },
  {
    group: 'cloud-init',
    title: 'a string where cloud-config expects a list',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the module fails in the guest',
    code: `CloudInit.raw('#cloud-config\\npackages: nginx\\n');`,
    says: `CloudInit.raw: userData: line 2: packages: must be a list, is a text
  write a list [cloud-init-type]`,
  },
  {
    group: 'cloud-init',
    title: 'a misspelt key of a user in raw user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `CloudInit.raw('#cloud-config\\nusers:\\n  - name: ops\\n    shel: /bin/bash\\n');`,
    says: `CloudInit.raw: userData: line 4: users[0].shel: is not a key of cloud-init
  did you mean "shell"? [cloud-init-unknown-key]`,
  },
  {
    group: 'cloud-init',
    title: 'an unquoted command with a colon',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the command does not run',
    code: `CloudInit.raw('#cloud-config\\nruncmd:\\n  - echo hello: world\\n');`,
    says: `CloudInit.raw: userData: line 3: runcmd[0]: must be a list or a text or null, is a map
  write a list or a text or null [cloud-init-type]`,
  },
  {
    group: 'cloud-init',
    title: 'a duplicate key in user data',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the first one is ignored',
    code: `CloudInit.raw('#cloud-config\\nruncmd: [ls]\\npackages: [nginx]\\nruncmd: [id]\\n');`,
    says: `CloudInit.raw: userData: line 4: runcmd: the key is written twice, and the last value wins
  put both values under one key [cloud-init-key-unique]`,
  },
  {
    group: 'cloud-init',
    title: 'a file mode as a decimal number',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the file has another mode',
    code: `CloudInit.raw('#cloud-config\\nwrite_files:\\n  - path: /etc/motd\\n    permissions: 644\\n');`,
    says: `CloudInit.raw: userData: line 4: write_files[0].permissions: is a decimal number, but a mode has octal digits
  write '0644', in quotes [cloud-file-mode]`,
  },
  {
    group: 'cloud-init',
    title: 'a file without a path',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init fails in the guest',
    code: `CloudInit.raw('#cloud-config\\nwrite_files:\\n  - content: hello\\n');`,
    says: `CloudInit.raw: userData: line 3: write_files[0].path: is missing
  add path [cloud-init-required]`,
  },
  {
    group: 'cloud-init',
    title: 'file content that is not valid base64',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the file is not written',
    code: `CloudInit.raw('#cloud-config\\nwrite_files:\\n  - path: /etc/motd\\n    encoding: b64\\n    content: hello world!\\n');`,
    says: `CloudInit.raw: userData: line 5: write_files[0].content: is not base64, which encoding requires
  encode it, or leave encoding out [cloud-file-content]`,
  },
  {
    group: 'cloud-init',
    title: 'a host name with an underscore in user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest keeps the name of its image',
    code: `CloudInit.raw('#cloud-config\\nhostname: web_1\\n');`,
    says: `CloudInit.raw: userData: line 2: hostname: is not a host name
  use letters, digits, dashes and dots, at most 64 characters [cloud-host-name]`,
  },
  {
    group: 'cloud-init',
    title: 'a time zone that does not exist in user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest keeps UTC',
    code: `CloudInit.raw('#cloud-config\\ntimezone: Europe/Berln\\n');`,
    says: `CloudInit.raw: userData: line 2: timezone: is not a time zone, so the guest keeps UTC
  write one like Europe/Berlin [cloud-time-zone]`,
  },
  {
    group: 'cloud-init',
    title: 'a Jinja template without its header',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the placeholders stay in the document',
    code: `CloudInit.raw('#cloud-config\\nhostname: {{ v1.local_hostname }}\\n');`,
    says: `CloudInit.raw: userData: line 2: cloud-init replaces {{ … }} only in a jinja template
  begin with ## template: jinja, above #cloud-config [cloud-init-jinja]`,
  },
  {
    group: 'cloud-init',
    title: 'a script with Windows line endings',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the kernel finds no interpreter',
    code: `CloudInit.raw('#!/bin/bash\\r\\nls\\r\\n');`,
    says: `CloudInit.raw: userData: line 1: ends with a carriage return, so the kernel does not find the interpreter
  write the script with Unix line endings (LF) [cloud-init-interpreter]`,
  },
  {
    group: 'cloud-init',
    title: 'a script with a relative interpreter',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the script does not start',
    code: `CloudInit.raw('#!bash\\nls\\n');`,
    says: `CloudInit.raw: userData: line 1: #! is not followed by the absolute path of an interpreter
  write #!/bin/sh or #!/usr/bin/env bash [cloud-init-interpreter]`,
  },
  {
    group: 'cloud-init',
    title: 'a multi-part message without its boundary',
    tier: 'construction',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `CloudInit.raw('Content-Type: multipart/mixed\\n\\n#cloud-config\\n');`,
    says: `CloudInit.raw: userData: is a MIME message without parts: its header has no boundary
  write Content-Type: multipart/mixed; boundary="…", and begin each part with -- and the boundary [cloud-init-multipart]`,
  },
  {
    group: 'cloud-init',
    title: 'a truncated public key',
    tier: 'construction',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `CloudUser.named('me', { sshKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpD me@home'] });`,
    says: `CloudUser.named: sshKeys[0]: of "me" is a truncated public key
  use a line of authorized_keys, such as the content of id_ed25519.pub [cloud-user-key]`,
  },
  {
    group: 'cloud-init',
    title: 'a truncated public key in raw user data',
    tier: 'construction',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `CloudInit.raw('#cloud-config\\nssh_authorized_keys:\\n  - ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB me@home\\n');`,
    says: `CloudInit.raw: userData: line 3: ssh_authorized_keys[0]: is a truncated public key
  use a line of authorized_keys, such as the content of id_ed25519.pub [cloud-user-key]`,
  },
  {
    group: 'cloud-init',
    title: 'an address without its prefix length',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest has no network',
    code: `CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { addresses: ['192.0.2.10'] } } } });`,
    says: `CloudInit.noCloud: networkConfig.ethernets.eth0.addresses[0]: is not an address with a prefix length
  write it like 192.0.2.10/24 or 2001:db8::10/64 [cloud-network-address]`,
  },
  {
    group: 'cloud-init',
    title: 'a misspelt key of a network configuration',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest has no address',
    code: `CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { dhcp: true } } } });`,
    says: `CloudInit.noCloud: networkConfig.ethernets.eth0.dhcp: is not a key of network configuration
  did you mean "dhcp4"? [cloud-init-unknown-key]`,
  },
  {
    group: 'cloud-init',
    title: "a Secret without cloud-init's key",
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new ApiObject(chart, 'init', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'init' }, stringData: { 'user-data': '#cloud-config' } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), cloudInit: CloudInit.fromSecret({ name: 'init' }) });`,
    says: `cloudInit (spec.template.spec.volumes[0].cloudInitNoCloud.secretRef.name): Secret "init" has no key "userdata", which cloud-init reads (allowed: "userdata", "userData")
  add the key userdata to the Secret [cloud-init-secret-key]`,
  },
  {
    group: 'cloud-init',
    title: 'a misspelt key in a Secret of the app',
    tier: 'synth',
    kubevirt: 'run',
    there: 'cloud-init ignores it',
    code: `new ApiObject(chart, 'init', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'init' }, stringData: { userdata: '#cloud-config\\npakages: [nginx]\\n' } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), cloudInit: CloudInit.fromSecret({ name: 'init' }) });`,
    says: `cloudInit (spec.template.spec.volumes[0].cloudInitNoCloud.secretRef.name): key "userdata" of Secret "init": line 2: pakages: is not a key of cloud-init
  did you mean "packages"? [cloud-init-unknown-key]`,
  },
  {
    group: 'storage',
    title: 'a container disk with docker://',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('docker://registry.example/os:1')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "docker://registry.example/os:1" begins with docker://, which is not part of an image reference
  write "registry.example/os:1" [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container disk with a URL',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('https://registry.example/os.qcow2')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "https://registry.example/os.qcow2" begins with https://, which is not part of an image reference
  a container disk is an image of a registry; use Disk.http (a DataVolume with source http) for a file [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container disk without its tag',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "registry.example/os:" ends with a colon and has no tag
  add the tag, or remove the colon [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container disk with a space',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os: 1')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "registry.example/os: 1" contains white space
  remove the white space [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container disk with a truncated digest',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os@sha256:0123abcd')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "registry.example/os@sha256:0123abcd" has a digest that is not sha256: and 64 hexadecimal digits
  copy the complete digest [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container disk with capital letters',
    tier: 'construction',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/Team/os:1')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "registry.example/Team/os:1" has capital letters in its path
  write the path in lower case [image-reference]`,
  },
  {
    group: 'storage',
    title: 'a container image without a disk as a container disk',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start: the image contains no disk',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('ubuntu:24.04')] });`,
    says: `disks[0] (spec.template.spec.volumes[0].containerDisk.image): "ubuntu:24.04" is a plain container image: it has no disk in /disk, so the guest does not start
  use a container disk, such as quay.io/containerdisks/fedora:42 [container-disk-library]`,
  },
  {
    group: 'storage',
    title: 'an import from a registry with an empty tag',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the import fails',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.registry('registry.example/os:', Size.gibibytes(10))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.registry.url): "docker://registry.example/os:" ends with a colon and has no tag
  add the tag, or remove the colon [image-reference]`,
  },
  {
    group: 'storage',
    title: 'an import of a ZIP archive',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.http('https://files.example/os.zip', Size.gibibytes(10))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.http.url): "os.zip" is not a disk that CDI can read
  unpack it, and serve the disk image itself: raw, qcow2, vmdk, vdi, vhdx or iso, also by gzip or xz [source-format]`,
  },
  {
    group: 'storage',
    title: 'an import of an OVA appliance',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the import fails',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.http('https://files.example/appliance.ova', Size.gibibytes(10))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.http.url): "appliance.ova" is not a disk that CDI can read
  unpack it, and serve the disk image itself: raw, qcow2, vmdk, vdi, vhdx or iso, also by gzip or xz [source-format]`,
  },
  {
    group: 'storage',
    title: 'an import of a tar archive as a disk',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.http('https://files.example/files.tar.gz', Size.gibibytes(10))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.http.url): "files.tar.gz" is an archive of files, but disks[0].content requires a disk image
  set disks[0].content to archive for a volume of files, or serve the disk image itself [source-format]`,
  },
  {
    group: 'storage',
    title: 'two disks with the same serial number',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the guest finds only one of them',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.emptyDisk(Size.gibibytes(1), { name: 'a', serial: 'data' }), Disk.emptyDisk(Size.gibibytes(1), { name: 'b', serial: 'data' })] });`,
    says: `disks[1].serial (spec.template.spec.domain.devices.disks[1].serial): disk "a" also has the serial "data": the guest can find only one of them by it
  give each disk its own serial [disk-serial-unique]`,
  },
  {
    group: 'storage',
    title: 'a writable disk on a read-only claim',
    tier: 'synth',
    kubevirt: 'run',
    there: 'QEMU does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(1), { accessModes: [AccessMode.READ_ONLY_MANY] })] });`,
    says: `disks[0] (spec.template.spec.volumes[0]): disk "disk0" is writable, but claim "vm-disk0" is ReadOnlyMany
  choose ReadWriteOnce or ReadWriteMany, or make the disk read-only [claim-writable]`,
  },
  {
    group: 'storage',
    title: 'a pull Secret without its key',
    tier: 'synth',
    kubevirt: 'run',
    there: 'ImagePullBackOff',
    code: `new ApiObject(chart, 'pull', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull' }, stringData: { username: 'me', password: 'x' } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { pullSecret: { name: 'pull' } })] });`,
    says: `disks[0].pullSecret (spec.template.spec.volumes[0].containerDisk.imagePullSecret): Secret "pull" has no key ".dockerconfigjson", which nodes need to pull the image (allowed: ".dockerconfigjson", ".dockercfg")
  add ".dockerconfigjson" to it [secret-key]`,
  },
  {
    group: 'network',
    title: 'a multicast MAC address',
    tier: 'construction',
    kubevirt: 'run',
    there: 'libvirt refuses the domain',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: '01:00:5e:00:00:01' })] });`,
    says: `networks[0].macAddress (spec.template.spec.domain.devices.interfaces[0].macAddress): "01:00:5e:00:00:01" is a multicast address, which no card can have
  write an address whose second digit is 2, 6, a or e, such as 02:00:00:12:34:56 [mac-unicast]`,
  },
  {
    group: 'network',
    title: 'a broadcast MAC address',
    tier: 'construction',
    kubevirt: 'run',
    there: 'libvirt refuses the domain',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: 'ff:ff:ff:ff:ff:ff' })] });`,
    says: `networks[0].macAddress (spec.template.spec.domain.devices.interfaces[0].macAddress): "ff:ff:ff:ff:ff:ff" is a multicast address, which no card can have
  write an address whose second digit is 2, 6, a or e, such as 02:00:00:12:34:56 [mac-unicast]`,
  },
  {
    group: 'network',
    title: 'a MAC address of only zeros',
    tier: 'construction',
    kubevirt: 'run',
    there: 'libvirt refuses the domain',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ macAddress: '00:00:00:00:00:00' })] });`,
    says: `networks[0].macAddress (spec.template.spec.domain.devices.interfaces[0].macAddress): "00:00:00:00:00:00" is not an address
  write an address whose second digit is 2, 6, a or e, such as 02:00:00:12:34:56 [mac-unicast]`,
  },
  {
    group: 'network',
    title: 'a guest network without its prefix length',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ vmNetworkCidr: '10.0.2.0' })] });`,
    says: `networks[0] (spec.template.spec.networks[0].pod.vmNetworkCIDR): "10.0.2.0" is not an IPv4 CIDR
  write one like 10.0.2.0/24 [network-cidr]`,
  },
  {
    group: 'network',
    title: 'a guest network that is too small for a guest',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ vmNetworkCidr: '10.0.2.0/32' })] });`,
    says: `networks[0] (spec.template.spec.networks[0].pod.vmNetworkCIDR): "10.0.2.0/32" has no room for a gateway and a guest
  write one like 10.0.2.0/24 [network-cidr]`,
  },
  {
    group: 'network',
    title: 'an IPv4 network where IPv6 is expected',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the guest does not start',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ vmIpv6NetworkCidr: '10.0.2.0/24' })] });`,
    says: `networks[0] (spec.template.spec.networks[0].pod.vmIPv6NetworkCIDR): "10.0.2.0/24" is not an IPv6 CIDR
  write one like fd10:0:2::/120 [network-cidr]`,
  },
  {
    group: 'network',
    title: 'an attachment with a subnet that is not a CIDR',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Pod fails',
    code: `new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1', { ipam: CniIpam.hostLocal('10.1.0.0') }) });`,
    says: `config (spec.config): "10.1.0.0" is not a CIDR
  write one like 192.0.2.0/24 [network-cidr]`,
  },
  {
    group: 'network',
    title: 'an SR-IOV network with the bridge binding',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the Pod fails',
    code: `const vf = new NetworkAttachment(chart, 'vf', { config: Cni.sriov('example.com/vf') });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.multus(vf)] });`,
    says: `networks[0] (spec.template.spec.domain.devices.interfaces[0].bridge): NetworkAttachmentDefinition "docs-vf" is an SR-IOV network, but the interface is bound by bridge
  use the sriov binding: VmNetwork.sriov [sriov-binding]`,
  },
  {
    group: 'network',
    title: 'a probe of a port that the VM does not open',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest never becomes ready',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ ports: [VmPort.SSH] })], readiness: VmProbe.fromTcpSocket(8080) });`,
    says: `readiness.tcpSocket.port (spec.template.spec.readinessProbe.tcpSocket.port): the network "default" does not open port 8080, so the probe always fails (allowed: "22")
  add the port to the ports of the network, or probe an open port [probe-port-open]`,
  },
  {
    group: 'network',
    title: 'a liveness probe of a port that the VM does not open',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest is killed again and again',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), networks: [VmNetwork.masquerade({ ports: [VmPort.SSH] })], liveness: VmProbe.fromHttpGet('/') });`,
    says: `liveness.httpGet.port (spec.template.spec.livenessProbe.httpGet.port): the network "default" does not open port 80, so the probe always fails (allowed: "22")
  add the port to the ports of the network, or probe an open port [probe-port-open]`,
  },
  {
    group: 'network',
    title: 'an HTTP probe with a path without a leading slash',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the probe fails',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), readiness: VmProbe.fromHttpGet('health') });`,
    says: `readiness.httpGet.path (spec.template.spec.readinessProbe.httpGet.path): "health" is not a path
  begin it with / [probe-path]`,
  },
  {
    group: 'network',
    title: 'a Service with a name that begins with a digit',
    tier: 'construction',
    kubevirt: 'apply',
    there: 'refused by Kubernetes',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2) }).exposeViaService('web', { metadata: { name: '1-web' }, ports: [VmPort.SSH] });`,
    says: `metadata.name: "1-web" cannot be the name of a Service
  begin with a letter, and use up to 63 lower case letters, digits and dashes [service-name]`,
  },
  {
    group: 'network',
    title: 'a TLS Secret of an Ingress without its keys',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the Ingress has no certificate',
    code: `new ApiObject(chart, 'tls', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tls' }, stringData: { cert: 'x' } });
new ApiObject(chart, 'web', { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web' }, spec: { tls: [{ secretName: 'tls' }] } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2) });`,
    says: `spec.tls[0].secretName: Secret "tls" has no key "tls.crt" and "tls.key", which the Ingress reads its certificate from (allowed: "tls.crt", "tls.key")
  add "tls.crt" and "tls.key" to it [secret-key]`,
  },
  {
    group: 'protection',
    title: 'a snapshot schedule for a VM without a claim',
    tier: 'synth',
    kubevirt: 'never',
    there: 'snapshots contain no disks',
    code: `const vm = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new SnapshotSchedule(chart, 'nightly', { source: vm });`,
    says: `source (spec.jobTemplate): no disk of VirtualMachine "vm" is on a claim, and a snapshot contains only claims
  give the VM a disk on a claim, such as Disk.blank or Disk.http (a DataVolume), or remove this object [snapshot-volumes]`,
  },
  {
    group: 'protection',
    title: 'an export of a VM without a claim',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the export is skipped',
    code: `const vm = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new VirtualMachineExport(chart, 'out', { source: ExportSource.virtualMachine(vm) });`,
    says: `source (spec.source.name): no disk of VirtualMachine "vm" is on a claim, and an export contains only claims
  give the VM a disk on a claim, such as Disk.blank or Disk.http (a DataVolume), or remove this object [export-volumes]`,
  },
  {
    group: 'protection',
    title: 'a snapshot schedule for a VM with a misspelt name',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the snapshots never become ready',
    code: `new VirtualMachine(chart, 'database', { metadata: { name: 'database' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(1))] });
new SnapshotSchedule(chart, 'nightly', { source: { name: 'databse' } });`,
    says: `source (spec.jobTemplate): no VirtualMachine is called "databse" (allowed: "database")
  did you mean "database"? [reference-name]`,
  },
  {
    group: 'protection',
    title: "a restore of one VM's snapshot onto another VM",
    tier: 'synth',
    kubevirt: 'run',
    there: 'the restore fails',
    code: `const web = new VirtualMachine(chart, 'web', { metadata: { name: 'web' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
const db = new VirtualMachine(chart, 'db', { metadata: { name: 'db' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
const monday = new VirtualMachineSnapshot(chart, 'monday', { source: web });
new VirtualMachineRestore(chart, 'back', { snapshot: monday, target: db });`,
    says: `target (spec.target.name): VirtualMachineSnapshot "docs-monday" is of VirtualMachine "web", but "db" is another VM (allowed: "web")
  write "web" to restore that VM, or a free name to create a new VM [restore-target]`,
  },
  {
    group: 'protection',
    title: 'a disruption budget equal to the replicas',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain waits forever',
    code: `const pool = new VirtualMachinePool(chart, 'web', { replicas: 2, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new GuestDisruptionBudget(chart, 'budget', { target: pool, minAvailable: 2 });`,
    says: `minAvailable (spec.minAvailable): VirtualMachinePool "docs-web" has 2 guests, and 2 must stay, so none can be evicted and a drain never ends (value: 2)
  use less than 2, or more replicas [budget-replicas]`,
  },
  {
    group: 'protection',
    title: 'replicas together with an autoscaler',
    tier: 'synth',
    kubevirt: 'never',
    there: 'each apply resets the number of guests',
    code: `const pool = new VirtualMachinePool(chart, 'web', { metadata: { name: 'web' }, replicas: 2, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] });
new ApiObject(chart, 'scaler', { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' }, spec: { scaleTargetRef: { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: 'web' }, maxReplicas: 5 } });`,
    says: `replicas (spec.replicas): HorizontalPodAutoscaler "web" sets the number of guests, and each apply would reset it to 2 (value: 2)
  leave replicas out [replicas-autoscaled]`,
  },
  {
    group: 'protection',
    title: 'one static address for all guests of a pool',
    tier: 'synth',
    kubevirt: 'never',
    there: "the guests' addresses conflict",
    code: `new VirtualMachinePool(chart, 'web', { replicas: 2, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')], cloudInit: CloudInit.noCloud({ networkConfig: { version: 2, ethernets: { eth0: { addresses: ['192.0.2.10/24'] } } } }) });`,
    says: `cloudInit (spec.virtualMachineTemplate.spec.template.spec.volumes[1].cloudInitNoCloud.networkData): all 2 guests would have the same static address
  use DHCP, or declare one VM for each address [address-unique]`,
  },
  {
    group: 'protection',
    title: 'a persistent TPM in a VM that must migrate',
    tier: 'synth',
    kubevirt: 'run',
    there: 'a drain waits forever',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), evictionStrategy: EvictionStrategy.LIVE_MIGRATE, devices: { tpm: Tpm.PERSISTENT } });`,
    says: `devices.tpm (spec.template.spec.domain.devices.tpm.persistent): the TPM keeps its state on a claim of one node: with evictionStrategy LiveMigrate the guest cannot leave it, so a drain never ends
  set vmStateStorageClass of the KubeVirt object to a class with ReadWriteMany, or choose evictionStrategy LiveMigrateIfPossible or None [migration-state]`,
  },
  {
    group: 'protection',
    title: 'a migration of a stopped VM',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new VirtualMachine(chart, 'web', { metadata: { name: 'web' }, memory: Size.gibibytes(2), runStrategy: RunStrategy.HALTED });
new VirtualMachineInstanceMigration(chart, 'move', { instance: { name: 'web' } });`,
    says: `spec.vmiName: VirtualMachine "web" does not run, so it has no instance to migrate
  start the VM (runStrategy Always), or remove the migration [migration-halted]`,
  },
  {
    group: 'protection',
    title: 'a schedule for a day that does not exist',
    tier: 'construction',
    kubevirt: 'never',
    there: 'there are no snapshots',
    code: `new SnapshotSchedule(chart, 'nightly', { source: { name: 'db' }, schedule: '0 3 30 2 *' });`,
    says: `schedule (spec.schedule): "0 3 30 2 *" never runs: the month has no such day
  choose another day [cron-schedule]`,
  },
  {
    group: 'guest',
    title: 'a password Secret with keys for a login',
    tier: 'synth',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `new ApiObject(chart, 'login', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { username: 'ops', password: 'x' } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), accessCredentials: [AccessCredential.passwordsByAgent({ name: 'login' })] });`,
    says: `accessCredentials[0] (spec.template.spec.accessCredentials[0].userPassword.source.secret.secretName): each key of Secret "login" is the name of a user, and "password", "username" is not one
  name the key after the user, with the password as its value: ops: … [credential-user-key]`,
  },
  {
    group: 'guest',
    title: 'a truncated public key in a Secret',
    tier: 'synth',
    kubevirt: 'run',
    there: 'nobody can log in',
    code: `new ApiObject(chart, 'keys', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { me: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7' } });
new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), accessCredentials: [AccessCredential.sshKeysByAgent({ name: 'keys' }, ['ops'])] });`,
    says: `accessCredentials[0] (spec.template.spec.accessCredentials[0].sshPublicKey.source.secret.secretName): key "me" of Secret "keys" is a truncated public key
  use a line of authorized_keys, such as the content of id_ed25519.pub [credential-ssh-key]`,
  },
  {
    group: 'guest',
    title: 'a node selector for another architecture',
    tier: 'synth',
    kubevirt: 'run',
    there: 'no node matches',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), architecture: Architecture.AMD64, instanceSpec: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } } });`,
    says: `scheduling.nodeSelector.kubernetes.io/arch (spec.template.spec.nodeSelector.kubernetes.io/arch): the guest has the architecture amd64, but selects nodes with arm64, so no node fits (allowed: "amd64")
  write amd64, or leave it out [node-architecture]`,
  },
  {
    group: 'platform',
    title: 'more parallel migrations for a node than for the cluster',
    tier: 'synth',
    kubevirt: 'never',
    there: "the node's limit has no effect",
    code: `new KubeVirt(chart, 'kubevirt', { configuration: { migrations: { parallelPerCluster: 1, parallelOutboundPerNode: 4 } } });`,
    says: `configuration.migrations.parallelOutboundPerNode (spec.configuration.migrations.parallelOutboundMigrationsPerNode): 4 migrations may leave a node at once, but only 1 may run in the cluster
  use 1 or less, or raise configuration.migrations.parallelPerCluster [migration-limits]`,
  },
  {
    group: 'platform',
    title: 'a patch of a program that the platform does not have',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the patch has no effect',
    code: `new VirtPlatform(chart, 'platform', {
  images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
  customizeComponents: { patches: [ComponentPatch.merge({ kind: ComponentKind.DAEMON_SET, name: 'virt-handlers' }, { metadata: { annotations: { a: 'b' } } })] },
});`,
    says: `customizeComponents.patches[0] (spec.customizeComponents.patches[0].resourceName): the platform installs no DaemonSet "virt-handlers" (allowed: "virt-handler")
  did you mean "virt-handler"? [component-target]`,
  },
  {
    group: 'platform',
    title: 'a flag that is written with its dashes',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the program does not start',
    code: `new KubeVirt(chart, 'kubevirt', { customizeComponents: { flags: { virtApi: { '--port': '8443' } } } });`,
    says: `customizeComponents.flags.virtApi (spec.customizeComponents.flags.api): "--port" is not the name of a flag
  write the name without dashes and without a value [component-flag]`,
  },
  {
    group: 'platform',
    title: 'certificates that outlive their authority',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'refused',
    code: `new KubeVirt(chart, 'kubevirt', { certificates: { leaf: { duration: Duration.days(30) } } });`,
    says: `certificates.leaf.duration (spec.certificateRotateStrategy.selfSigned.server.duration): Certificate duration cannot exceed CA (certificates.leaf.duration > certificates.authority.duration)
  shorten certificates.leaf.duration or lengthen certificates.authority.duration [certificate-duration]`,
  },
  {
    group: 'protection',
    title: 'a clone with its source as the target',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the clone fails',
    code: `const web = new VirtualMachine(chart, 'web', { metadata: { name: 'web' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(1))] });
new VirtualMachineClone(chart, 'copy', { source: CloneSource.virtualMachine(web), targetName: 'web' });`,
    says: `VirtualMachine "web" exists already, and a clone creates a new VM
  choose a name that no VM has [clone-target]`,
  },
];

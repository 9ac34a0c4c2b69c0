import { validatePlain } from '../../api/cloud-init/plain';
import { validateCloudConfig } from '../../api/cloud-init/user-data';
import { secretsInText, secretsInYaml } from '../../api/cloud-init/secrets';
import { type Finding, root } from '../../api/findings';
import { mistakeInCode } from '../validation';
import type { CloudConfigProps } from './cloud-config';
import type { CloudUser } from './cloud-user';
import { refuse } from './mistakes';
import { cloudConfigText, locateInConfig, renderCloudConfig } from './render-config';

/** One of several documents that cloud-init gets at once. One that it would not know as what it is said to be is refused. */
export class CloudPart {
  /**
   * A cloud-config.
   *
   * @param props users, packages, commands, and everything else of the cloud-config
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.cloudConfig({ packages: ['nginx'] })]),
   * });
   */
  public static cloudConfig(props: CloudConfigProps): CloudPart {
    refuse('CloudPart.cloudConfig', validatePlain(props.raw, root.at('raw')));
    const config = renderCloudConfig(props);
    refuse('CloudPart.cloudConfig', validateCloudConfig(config, root, { secret: true }), locateInConfig(props));
    const secrets = (): Finding[] => secretsInYaml(cloudConfigText(config), root);
    return new CloudPart('text/cloud-config', cloudConfigText(config), secrets, props.users ?? []);
  }

  /**
   * A script that is run at the end of the first boot. It begins with `#!`.
   *
   * @param script script, with its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.shellScript('#!/bin/sh\ntouch /etc/ready\n')]),
   * });
   */
  public static shellScript(script: string): CloudPart {
    needsHeader('shellScript', script, /^#!/, '#! and an interpreter');
    return CloudPart.of('text/x-shellscript', script);
  }

  /**
   * A script that is run at the end of each boot. It begins with `#!`.
   *
   * @param script script, with its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.shellScriptPerBoot('#!/bin/sh\ndate >> /var/log/boots\n')]),
   * });
   */
  public static shellScriptPerBoot(script: string): CloudPart {
    needsHeader('shellScriptPerBoot', script, /^#!/, '#! and an interpreter');
    return CloudPart.of('text/x-shellscript-per-boot', script);
  }

  /**
   * A script that is run at each boot, as early as possible.
   *
   * @param script script, with its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.boothook('#!/bin/sh\nmodprobe dummy\n')]),
   * });
   */
  public static boothook(script: string): CloudPart {
    return CloudPart.of('text/cloud-boothook', script);
  }

  /**
   * A cloud-config or script as a Jinja template over the instance's data. It begins with `## template: jinja`.
   *
   * @param template template, with its first line `## template: jinja`
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.jinja('## template: jinja\n#cloud-config\nruncmd: ["echo {{ v1.local_hostname }}"]\n')]),
   * });
   */
  public static jinja(template: string): CloudPart {
    needsHeader('jinja', template, /^##\s*template:\s*jinja/i, '## template: jinja');
    return CloudPart.of('text/jinja2', template);
  }

  /**
   * Documents that the guest fetches.
   *
   * @param urls addresses of user data
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.include('https://config.example/base.yaml')]),
   * });
   */
  public static include(...urls: string[]): CloudPart {
    urls.forEach((url, i) => {
      if (/^(https?|file|ftp):\/\/\S+$/.test(String(url))) return;
      mistakeInCode('CloudPart.include', `urls[${i}]`, 'is no URL', 'write it like https://…', 'cloud-part-url');
    });
    return CloudPart.of('text/x-include-url', `${urls.join('\n')}\n`);
  }

  /**
   * Any other document, by the content type that cloud-init knows it by. It is not checked.
   *
   * @param contentType MIME type, such as `text/cloud-config`
   * @param content content of the part
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.of('text/cloud-config', '#cloud-config\npackages: [nginx]\n')]),
   * });
   */
  public static of(contentType: string, content: string): CloudPart {
    if (!/^text\/[a-z0-9.+-]+$/.test(String(contentType))) {
      const remedy = 'write one that cloud-init knows, such as text/x-shellscript';
      mistakeInCode('CloudPart.of', 'contentType', 'is no content type of text', remedy, 'cloud-part-type');
    }
    const yaml = /cloud-config|jinja/.test(contentType);
    return new CloudPart(contentType, content, () =>
      yaml ? secretsInYaml(content, root) : secretsInText(content, root),
    );
  }

  private constructor(
    /** As cloud-init knows it. */
    public readonly contentType: string,
    private readonly content: string,
    private readonly secrets: () => Finding[],
    private readonly users: CloudUser[] = [],
  ) {}

  /** @internal */
  public _users(): CloudUser[] {
    return this.users;
  }

  /** Secrets in it, which must not be in a manifest. @internal */
  public _secrets(): Finding[] {
    return this.secrets();
  }

  /** @internal */
  public _render(): string {
    return this.content;
  }
}

function needsHeader(call: string, text: string, header: RegExp, what: string): void {
  if (header.test(String(text))) return;
  mistakeInCode(`CloudPart.${call}`, '', `the first line is not ${what}`, `begin with ${what}`, 'cloud-init-header');
}

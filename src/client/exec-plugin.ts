import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { KubeConfig } from './kube';
import { ClientError, messageOf } from './errors';

/** `users[].user.exec` of a kubeconfig. */
export interface ExecConfig {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
  /** Folder of the kubeconfig, to which relative commands refer. */
  dir?: string;
}

interface ExecCredential {
  kind?: string;
  status?: { token?: string; clientCertificateData?: string; clientKeyData?: string };
}

/** Runs a credential plugin (`client.authentication.k8s.io`) and returns its credentials. */
export async function runExecPlugin(exec: ExecConfig, server: string | undefined): Promise<Partial<KubeConfig>> {
  if (!exec.command) throw new ClientError('kubeconfig: exec has no command');
  const interactive = exec.interactiveMode !== 'Never' && process.stdin.isTTY === true;
  if (exec.interactiveMode === 'Always' && !interactive) {
    throw new ClientError(`exec plugin ${exec.command} needs a terminal (interactiveMode: Always)`);
  }
  const apiVersion = exec.apiVersion ?? 'client.authentication.k8s.io/v1';
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive, cluster: { server } } };
  // a relative path refers to the kubeconfig's folder, a bare name is searched in PATH
  const command = exec.command.includes('/') ? resolve(exec.dir ?? '.', exec.command) : exec.command;
  const output = await run(command, exec, {
    ...process.env,
    ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  });
  let credential: ExecCredential;
  try {
    credential = JSON.parse(output) as ExecCredential;
  } catch {
    throw new ClientError(`exec plugin ${exec.command} did not print an ExecCredential as JSON`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = credential.status ?? {};
  if (!token && !(cert && key)) {
    throw new ClientError(`exec plugin ${exec.command} gave neither a token nor a client certificate with its key`);
  }
  return { ...(token ? { token } : {}), ...(cert && key ? { cert, key } : {}) };
}

function run(command: string, exec: ExecConfig, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, reject) => {
    const child = spawn(command, exec.args ?? [], {
      env,
      stdio: [exec.interactiveMode === 'Never' ? 'ignore' : 'inherit', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => {
      const hint = exec.installHint ? `; ${exec.installHint.trim()}` : '';
      reject(new ClientError(`exec plugin ${exec.command} cannot be run: ${messageOf(error)}${hint}`));
    });
    child.once('close', (code, signal) => {
      if (code === 0) done(Buffer.concat(chunks).toString('utf8'));
      else reject(new ClientError(`exec plugin ${exec.command} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

import { ImportError } from '../import-error';
import type { HttpClient } from '../source/http-client';
import { parseChallenge } from './challenge';
import { readJson } from './read-json';

interface Login {
  readonly user: string;
  readonly password: string;
}

/** Answers the challenge of a registry: with the login, or with a token that its server gives for the login. */
export function authorizer(login: Login | undefined) {
  const basic = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  return async (header: string, client: HttpClient, registry: URL): Promise<string | undefined> => {
    const challenge = parseChallenge(header);
    if (challenge?.scheme !== 'bearer') return basic;
    const url = new URL(challenge.realm);
    for (const [key, value] of Object.entries(challenge.query)) url.searchParams.set(key, value);
    const { message } = await client.get(url.href, basic ? { authorization: basic } : {}, {
      requester: registry,
    });
    const { token, access_token: other } = (await readJson(message, 'the answer of the token server')).value as {
      token?: unknown;
      access_token?: unknown;
    };
    const given = token ?? other;
    if (typeof given !== 'string' || !/^[\x21-\x7e]+$/.test(given)) {
      throw new ImportError('SourceRejected', `${url.host} sent no token`, 'check the registry and its login');
    }
    return `Bearer ${given}`;
  };
}

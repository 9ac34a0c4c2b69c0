import { ServiceAccountTokens } from '../authentication/tokens';
import { Context } from './context';
import { Route } from './dispatcher';
import { sendJson } from './responder';

/** Serves what others need to verify tokens of ServiceAccounts. */
export class TokenKeysRoute implements Route {
  public constructor(private readonly tokens: ServiceAccountTokens) {}

  public async serve({ info, request, response }: Context): Promise<boolean> {
    if (request.method !== 'GET') return false;
    const path = info.path.replace(/\/$/, '');
    if (path === '/openid/v1/jwks') sendJson(response, 200, this.tokens.jwks(), 'application/jwk-set+json');
    else if (path === '/.well-known/openid-configuration') {
      sendJson(response, 200, this.tokens.openIdConfiguration(request.headers.host ?? ''));
    } else return false;
    return true;
  }
}

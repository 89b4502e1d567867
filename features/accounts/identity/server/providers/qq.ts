import {
  InvalidResponse,
  requestJson,
  codeIn,
  optional,
  optionalTextIn,
  optionalSubjectIn,
  subjectIn,
  textIn,
  type Client,
  type Provider,
} from '#identity/server/providers/provider.ts'

export const qq: Provider = {
  authorizationUrl(us, { state, redirectUri }) {
    const address = new URL('/oauth2.0/authorize', site(us))
    address.search = new URLSearchParams({ response_type: 'code', client_id: us.id, redirect_uri: redirectUri, state }).toString()
    return Promise.resolve(address)
  },

  async fetchPerson(us, { redirectUri }, answer) {
    const tokenFields = await requestJson(site(us), '/oauth2.0/token', {
      grant_type: 'authorization_code',
      client_id: us.id,
      client_secret: us.secret,
      code: codeIn(answer),
      redirect_uri: redirectUri,
      fmt: 'json',
    })
    const token = textIn(tokenFields, 'access_token')
    const me = await requestJson(site(us), '/oauth2.0/me', { access_token: token, unionid: '1', fmt: 'json' })
    // A token issued to another application does not identify this person.
    if (textIn(me, 'client_id') !== us.id) throw new InvalidResponse('Its token is for another application')
    const openId = subjectIn(me, 'openid')
    const query = { access_token: token, oauth_consumer_key: us.id, openid: openId }
    const { fields, ...flaw } = await optional(() => requestJson(site(us), '/user/get_user_info', query))
    const unionId = optionalSubjectIn(me, 'unionid')
    const subject = unionId === null ? { subject: openId } : { subject: unionId, formerly: openId }
    return { ...subject, ...flaw, name: optionalTextIn(fields, 'nickname') }
  },
}

function site({ address }: Client): string {
  return address ?? 'https://graph.qq.com'
}

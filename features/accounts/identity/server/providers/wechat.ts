import {
  requestJson,
  codeIn,
  optional,
  optionalTextIn,
  optionalSubjectIn,
  subjectIn,
  textIn,
  type Provider,
} from '#identity/server/providers/provider.ts'

/** WeChat: a QR code on other screens, and the official account inside of WeChat's own browser. */
export const wechat: Provider = {
  authorizationUrl(us, { state, redirectUri }) {
    const address = new URL(us.isInApp ? '/connect/oauth2/authorize' : '/connect/qrconnect', us.address ?? 'https://open.weixin.qq.com')
    address.search = new URLSearchParams({
      appid: us.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: us.isInApp ? 'snsapi_userinfo' : 'snsapi_login',
      state,
    }).toString()
    address.hash = 'wechat_redirect'
    return Promise.resolve(address)
  },

  async fetchPerson(us, _, answer) {
    const site = us.address ?? 'https://api.weixin.qq.com'
    const tokenFields = await requestJson(site, '/sns/oauth2/access_token', {
      appid: us.id,
      secret: us.secret,
      code: codeIn(answer),
      grant_type: 'authorization_code',
    })
    const openId = subjectIn(tokenFields, 'openid')
    const query = { access_token: textIn(tokenFields, 'access_token'), openid: openId, lang: 'zh_CN' }
    const { fields, ...flaw } = await optional(() => requestJson(site, '/sns/userinfo', query))
    // Each application has its own name for a person, unless the site has joined the applications under one account at WeChat.
    const alone = `${us.id}:${openId}`
    const unionId = optionalSubjectIn(fields, 'unionid') ?? optionalSubjectIn(tokenFields, 'unionid')
    // If neither response names the person under that account, they may be known by it all the same.
    if (unionId === null) textIn(fields, 'openid')
    return {
      ...(unionId === null ? { subject: alone } : { subject: unionId, formerSubject: alone }),
      ...flaw,
      name: optionalTextIn(fields, 'nickname'),
    }
  },
}

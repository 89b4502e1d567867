import { serveJson } from '#base/testing/fake-server.ts'

export const appOf = { github: 'hub-app', scan: 'wx-scan', inApp: 'wx-account', qq: 'qq-app' }
export const secretOf = { github: 'hub-secret', scan: 'scan-secret', inApp: 'account-secret', qq: 'qq-secret' }

export type FakeProviders = {
  address: string
  /** The union id of WeChat and QQ, shared by all applications of one owner; undefined if the owner has none. */
  unionId: unknown
  /** The provider's id of the person: the id of GitHub, or the open id of WeChat and QQ. Undefined for the default. */
  subject: { value: unknown } | undefined
  /** Whether WeChat and QQ return names. */
  returnsNames: boolean
  /** The client id that QQ reports for its token. */
  qqClient: string
  close(): Promise<void>
}

type Query = URLSearchParams

/** Fake GitHub, WeChat and QQ servers, each with its own application and secret. */
export async function fakeProviders(): Promise<FakeProviders> {
  const others: FakeProviders = {
    address: '',
    unionId: undefined,
    subject: undefined,
    returnsNames: true,
    qqClient: appOf.qq,
    close: () => served.close(),
  }
  const known = (value: unknown) => (others.subject ? others.subject.value : value)
  const union = () => (others.unionId === undefined ? {} : { unionid: others.unionId })
  const isWechat = (query: Query) =>
    (['scan', 'inApp'] as const).some((one) => query.get('appid') === appOf[one] && query.get('secret') === secretOf[one])
  const answers: Record<string, (query: Query, authorization: string | undefined) => unknown> = {
    '/login/oauth/access_token': (query) =>
      query.get('client_secret') === secretOf.github && query.get('code_verifier') ? { access_token: 'hub' } : { error: 'bad_code' },
    '/api/v3/user': (_, authorization) => (authorization === 'Bearer hub' ? { id: known(583231), login: 'octo', name: null } : undefined),
    '/sns/oauth2/access_token': (query) =>
      isWechat(query)
        ? { access_token: 'wx', openid: known(`open-${query.get('appid')}`), ...union() }
        : { errcode: 40029, errmsg: 'invalid code' },
    '/sns/userinfo': (query) =>
      others.returnsNames ? { openid: query.get('openid'), nickname: '林夕', ...union() } : { errcode: 48_001, errmsg: 'api unauthorized' },
    '/oauth2.0/token': (query) => (query.get('client_secret') === secretOf.qq ? { access_token: 'qq' } : { error: 100_002 }),
    '/oauth2.0/me': () => ({ client_id: others.qqClient, openid: known('open-qq'), ...union() }),
    '/user/get_user_info': () => (others.returnsNames ? { ret: 0, nickname: '小企鹅' } : undefined),
  }
  const served = await serveJson(({ path, query, form, authorization }) => answers[path]?.(form.size > 0 ? form : query, authorization))
  return Object.assign(others, { address: served.address })
}

/** The protocols of providers: OpenID Connect, or one of their own. */
export const protocols = ['oidc', 'github', 'wechat', 'qq'] as const
export type Protocol = (typeof protocols)[number]

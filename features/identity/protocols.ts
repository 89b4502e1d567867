/** What providers speak: OpenID Connect, or something of their own. */
export const protocols = ['oidc', 'github', 'wechat', 'qq'] as const
export type Protocol = (typeof protocols)[number]

import { github } from '#identity/server/providers/github.ts'
import { oidc } from '#identity/server/providers/oidc.ts'
import type { Provider } from '#identity/server/providers/provider.ts'
import { qq } from '#identity/server/providers/qq.ts'
import { wechat } from '#identity/server/providers/wechat.ts'
import type { Protocol } from '#identity/protocols.ts'

export const providers: Readonly<Record<Protocol, Provider>> = { oidc, github, wechat, qq }

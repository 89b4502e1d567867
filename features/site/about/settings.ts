import { plainString } from '#base/plain-text.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** Site information for visitors. */
export const settings = {
  /** A short introduction for visitors, and the operator of the site, shown on the about page. Empty: not shown. */
  welcomeZh: {
    group: 'site',
    schema: plainString.max(300),
    default: '这里是一间安静的社区茶馆：适合写长文、认真提问和回答，也可以闲聊。',
    aliases: 'about intro banner 关于 简介 欢迎',
  },
  welcomeEn: {
    group: 'site',
    schema: plainString.max(300),
    default: 'A quiet community: longer posts, careful questions and answers, and small talk over tea.',
    aliases: 'about intro banner 关于 简介 欢迎',
  },
  runByZh: { group: 'site', schema: plainString.max(2000), default: '', aliases: 'about contact imprint owner 关于 联系 站长' },
  runByEn: { group: 'site', schema: plainString.max(2000), default: '', aliases: 'about contact imprint owner 关于 联系 站长' },
} as const satisfies SettingDeclarations
